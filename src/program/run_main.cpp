/// run_main(): selects a command and executes it.

#include "command_line.hpp"
#include "companion_program.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "scripts.hpp"
#include <picus/error.hpp>
#include <picus/program.hpp>
#include <picus/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

namespace picus {
namespace {

using namespace program;

std::string name_of(int argc, char** argv, const ProgramOptions& options) {
  if (!options.name.empty() || argc < 1) return options.name;
  return std::filesystem::path(*argv).filename().string();
}

/// "Models: swing, four-bar."
std::string names_text(std::span<const RegisteredModel> models) {
  std::string text;
  for (const RegisteredModel& model : models) text += (text.empty() ? "Models: " : ", ") + model.info().name;
  return text + '.';
}

std::string version_text(const ProgramOptions& options) {
  if (program_name() == "picus") return fmt::format("picus {}", version);
  const std::string own = options.version.empty() ? "" : ' ' + options.version;
  return fmt::format("{}{} (Picus {})", program_name(), own, version);
}

void add_commands(CLI::App& app, std::span<const RegisteredModel> models, const ProgramOptions& options,
                  const std::string& typed, Action& action) {
  add_list_command(app, models, options.companions, action);
  add_info_command(app, models, action);
  add_run_command(app, models, typed, action);
  add_converge_command(app, models, action);
  add_compare_command(app, models, action);
  add_sweep_command(app, models, action);
  add_static_command(app, models, typed, action);
  add_modes_command(app, models, typed, action);
  add_show_command(app, action);
  add_plot_command(app, action);
  add_export_command(app, action);
  // Only for the list of commands: that program parses the arguments itself.
  for (const Companion& companion : options.companions)
    app.add_subcommand(companion.command, companion.summary);
}

}  // namespace

int run_main(int argc, char** argv, const std::vector<RegisteredModel>& models,
             const ProgramOptions& options) {
  return exit_status_of([&] {
    set_program_name(name_of(argc, argv, options));
    set_scripts_folder(options.scripts);
    if (options.prepare) options.prepare();
    check_models(models);
    const std::span words(argv, argc);
    for (const Companion& companion : options.companions) {
      if (argc > 1 && words[1] == std::string_view(companion.command))
        become_companion(companion, {words.begin() + 1, words.end()});
    }
    const ProgramText text{
        .description = options.description.empty() ? names_text(models) : options.description,
        .version = version_text(options)};
    parse_command_line(argc, argv, text, [&](CLI::App& app, const std::string& typed, Action& action) {
      add_commands(app, models, options, typed, action);
    })();
  });
}

}  // namespace picus
