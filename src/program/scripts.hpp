#pragma once

/// The Python scripts that draw figures and pages of what the program computed.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace picus::program {

/// Where scripts are that do not lie beside the program; empty: nowhere.
void set_scripts_folder(std::filesystem::path folder);

/// Where a script is: with the installed program (../share/picus/scripts), or in the folder that was set. Throws FileError when it is in neither.
std::filesystem::path find_script(std::string_view name);

/// Runs the script with these arguments, by Debian's Python where there is one, and waits for it. When it fails, throws
/// Error with the last line that it wrote to its standard error, less its own name (what else Python says is for nobody);
/// when a signal ends it while it reads `file`, FileError. It ends with this process, and when a stop is requested
/// (stop_signals.hpp), which throws Interrupted.
void run_script(std::string_view name, const std::vector<std::string>& arguments,
                const std::string& file = "");

}  // namespace picus::program
