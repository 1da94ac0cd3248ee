/// `picus list`: the available models and time integration schemes; picus-report adds the benchmarks.

#include "command_line.hpp"
#include "companion_program.hpp"
#include "output.hpp"
#include <picus/solvers/integrators/schemes.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace picus::program {
namespace {

void list(Models models, const std::vector<Companion>& companions) {
  Table table({"model", "what", "source"});
  for (const RegisteredModel& model : models) {
    table.add({model.info().name, model.info().title(), model.info().source});
  }
  print("{}", table.text());

  for (const Companion& companion : companions) {
    if (companion.list.empty()) continue;
    if (find_companion(companion)) {
      flush_output();
      become_companion(companion, {companion.list});
    }
    print("\nNo {}: the program {}, which has them, is not beside this one.\n", companion.list,
          companion.program);
  }
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

void add_list_command(CLI::App& app, Models models, const std::vector<Companion>& companions,
                      Action& action) {
  CLI::App* command = app.add_subcommand(
      "list", companions.empty() ? "List the models that can be run, or the schemes"
                                 : "List the models that can be run and the benchmarks, or the schemes");
  const auto schemes = std::make_shared<bool>(false);
  command->add_flag("--schemes", *schemes, "List the time integration schemes and their options instead")
      ->disable_flag_override();
  command->final_callback([&action, models, companions, schemes] {
    action = *schemes ? Action(list_schemes) : [models, companions] { list(models, companions); };
  });
}

}  // namespace picus::program
