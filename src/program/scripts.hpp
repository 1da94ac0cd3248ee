#pragma once

/// The Python scripts that draw figures and pages of results.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace picus::program {

/// Sets the folder for scripts that are not installed with the program; empty: none.
void set_scripts_folder(std::filesystem::path folder);

/// Path of a script: with the installed program (../share/picus/scripts), or in the folder set above. Throws FileError
/// if it is in neither.
std::filesystem::path find_script(std::string_view name);

/// Runs the script with these arguments, with Debian's Python if present, and waits for it. If it fails, throws Error
/// with the last line of its standard error without the script's name (the traceback is of no use to users); if a
/// signal ends it while it reads `file`, FileError. It is terminated with this process, and when a stop is requested
/// (stop_signals.hpp), which throws Interrupted.
void run_script(std::string_view name, const std::vector<std::string>& arguments,
                const std::string& file = "");

/// The input of a script, and the receiver of its output.
struct ScriptDialogue {
  std::string input;                                ///< on its standard input
  std::function<void(std::string_view)> read_line;  ///< is called with each line of its standard output
};

/// The same with a dialogue. What read_line() throws ends the script.
void run_script(std::string_view name, const std::vector<std::string>& arguments,
                const ScriptDialogue& dialogue);

}  // namespace picus::program
