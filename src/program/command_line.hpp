#pragma once

/// Parsing of the command line.

#include <picus/program.hpp>

#include <functional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace picus::program {

/// The action of a parsed command; throws picus::Error when it fails.
using Action = std::function<void()>;

/// Adds the commands of a program to `app`; each sets `action` when it is selected. `typed` is the full command line.
using AddCommands = std::function<void(CLI::App& app, const std::string& typed, Action& action)>;

/// Text printed first by --help and --version.
struct ProgramText {
  std::string description;
  std::string version;
};

/// Parses the command line and returns the action. Throws OptionError that names the offending argument and, for a
/// mistyped command or option, the nearest valid one.
Action parse_command_line(int argc, char** argv, const ProgramText& text, const AddCommands& add_commands);

using Models = std::span<const RegisteredModel>;

/// Each of these functions adds one command to `app`, which sets `action` when it is selected. `models` are the
/// available models; `typed` is the full command line, which is stored in results.
void add_list_command(CLI::App& app, Models models, const std::vector<Companion>& companions, Action& action);
void add_info_command(CLI::App& app, Models models, Action& action);
void add_run_command(CLI::App& app, Models models, const std::string& typed, Action& action);
void add_converge_command(CLI::App& app, Models models, Action& action);
void add_static_command(CLI::App& app, Models models, const std::string& typed, Action& action);
void add_modes_command(CLI::App& app, Models models, const std::string& typed, Action& action);
void add_compare_command(CLI::App& app, Models models, Action& action);
void add_sweep_command(CLI::App& app, Models models, Action& action);
void add_show_command(CLI::App& app, Action& action);
void add_plot_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_fmu_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, const std::string& typed, Action& action);
void add_benchmarks_command(CLI::App& app, Action& action);

}  // namespace picus::program
