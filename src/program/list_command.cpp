/// `picus list`: the models and the time integration schemes that there are; picus-report adds the benchmarks.

#include "command_line.hpp"
#include "output.hpp"
#include "report_program.hpp"
#include <picus/models/registry.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace picus::program {
namespace {

void list() {
  Table table({"model", "what", "source"});
  for (const models::RegisteredModel& model : models::registry()) {
    table.add({model.info().name, model.info().title(), model.info().source});
  }
  print("{}", table.text());

  if (find_report_program()) {
    flush_output();
    become_report_program({benchmarks_command});
  }
  print("\nNo benchmarks: the program picus-report, which has them, is not beside this one.\n");
}

void list_schemes() {
  Table table({"scheme", "what", "source"});
  Table options({"scheme", "option", "default", "allowed", "meaning"});
  bool has_options = false;
  for (const Scheme& scheme : schemes()) {
    table.add({scheme.name, scheme.summary, scheme.source});
    for (const ParameterInfo& option : scheme.options) {
      options.add({scheme.name, option.name, option.default_value, option.allowed(), option.doc});
      has_options = true;
    }
  }
  print("{}", table.text());
  if (has_options) print("\noptions, to be set with --scheme NAME:OPTION=VALUE,...\n\n{}", options.text());
}

}  // namespace

void add_list_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("list", "List the models that can be run and the benchmarks, or the schemes");
  const auto schemes = std::make_shared<bool>(false);
  command->add_flag("--schemes", *schemes, "List the time integration schemes and their options instead")
      ->disable_flag_override();
  command->final_callback([&action, schemes] { action = *schemes ? list_schemes : list; });
}

}  // namespace picus::program
