#pragma once

/// The words after the name of the program.

#include <picus/program.hpp>

#include <functional>
#include <span>
#include <string>

namespace CLI {
class App;
}

namespace picus::program {

/// What a command does once its words are understood; throws picus::Error when it fails.
using Action = std::function<void()>;

/// Adds the commands of a program to `app`; each sets `action` when it is chosen. `typed` is the whole command line.
using AddCommands = std::function<void(CLI::App& app, const std::string& typed, Action& action)>;

/// What --help and --version print first.
struct ProgramText {
  std::string description;
  std::string version;
};

/// Understands the words and returns what they ask for. Throws OptionError that names the culprit and, for a
/// mistyped command or option, the nearest valid one.
Action parse_command_line(int argc, char** argv, const ProgramText& text, const AddCommands& add_commands);

using Models = std::span<const RegisteredModel>;

/// Each adds one command to `app` and lets it set `action` when it is chosen. `models` are those to choose from; `typed` is the
/// whole command line, which results carry along.
void add_list_command(CLI::App& app, Models models, const std::vector<Companion>& companions, Action& action);
void add_info_command(CLI::App& app, Models models, Action& action);
void add_run_command(CLI::App& app, Models models, const std::string& typed, Action& action);
void add_converge_command(CLI::App& app, Models models, Action& action);
void add_static_command(CLI::App& app, Models models, const std::string& typed, Action& action);
void add_modes_command(CLI::App& app, Models models, const std::string& typed, Action& action);
void add_sweep_command(CLI::App& app, Models models, Action& action);
void add_show_command(CLI::App& app, Action& action);
void add_plot_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, const std::string& typed, Action& action);
void add_benchmarks_command(CLI::App& app, Action& action);

}  // namespace picus::program
