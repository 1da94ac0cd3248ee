#include "run_options.hpp"

#include <picus/error.hpp>

#include <CLI/CLI.hpp>

namespace picus::program {

using models::Range;

void add_run_options(CLI::App& command, RunWords& words) {
  add_model_options(command, words.model);
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const char* help) { command.add_option(name, word, help)->type_name(type); };
  add("--step", words.integrator.step, "SECONDS", "Step size; by default that of the model");
  add("--until", words.until, "SECONDS", "Final time; by default that of the model");
  add_integrator_options(command, words.integrator);
  add("--out", words.out, "FILE", "Result file (MODEL.h5)");
  add("--every", words.every, "STEPS", "Record every so many steps (1)");
  const auto add_patterns = [&](const char* name, std::vector<std::string>& patterns, const char* help) {
    command.add_option(name, patterns, help)->type_name("PATTERN")->allow_extra_args(false);
  };
  add_patterns("--record", words.include, "Record only such data sets, e.g. 'nodes/*'; may be repeated");
  add_patterns("--omit", words.exclude, "Do not record such data sets; may be repeated");
  command
      .add_flag("--energy-details", words.energy_details,
                "Record the energies of each element and contact, too")
      ->disable_flag_override();
  command.add_flag("--force", words.force, "Replace the result file if it exists")->disable_flag_override();
  command.add_flag("--quiet", words.quiet, "Print nothing but errors")->disable_flag_override();
}

RunOptions read_run_options(const RunWords& words) {
  const auto [model, scenario] = read_model(words.model, "picus run");
  RunOptions options{.scenario = scenario,
                     .integrator = read_integrator_options(words.integrator, model.info().step),
                     .until = real_or(model.info().until, "--until", words.until, Range::positive()),
                     .out = words.out.value_or(model.info().name + ".h5"),
                     .results = {.every = integer_or(1, "--every", words.every, {.low = 1}),
                                 .overwrite = words.force,
                                 .include = words.include,
                                 .exclude = words.exclude,
                                 .energy_details = words.energy_details},
                     .quiet = words.quiet};
  if (options.out.empty()) throw OptionError("--out is \"\", must be the name of a file");
  return options;
}

}  // namespace picus::program
