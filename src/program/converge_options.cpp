#include "converge_options.hpp"

#include "new_file.hpp"
#include <picus/error.hpp>
#include <picus/models/study/side_by_side.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace picus::program {
namespace {

std::vector<double> read_steps(const std::string& text) {
  std::vector<double> steps;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    steps.push_back(read_real("--steps", text.substr(begin, end - begin), Range::positive()));
    begin = end + 1;
  }
  return steps;
}

/// The default studies of models use a finer run as reference if no exact solution is known.
std::vector<double> default_steps(const ModelInfo& info) {
  if (!info.convergence.steps.empty()) return info.convergence.steps;
  std::vector<double> steps;
  for (const double factor : {8.0, 4.0, 2.0, 1.0, 0.5}) steps.push_back(factor * info.step);
  return steps;
}

}  // namespace

void add_converge_options(CLI::App& command, ConvergeWords& words) {
  add_model_options(command, words.model);
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const char* help) { command.add_option(name, word, help)->type_name(type); };
  add("--steps", words.steps, "H1,H2,...", "Step sizes in seconds; by default those of the model");
  add("--until", words.until, "SECONDS", "Final time; by default that of the model's study");
  command.add_option("--quantity", words.quantities, "Only such quantities, e.g. 'ball.*'; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  add("--reference", words.reference, "SECONDS",
      "Step of the reference run, where no exact solution is known (a hundredth of the smallest step)");
  add("--reference-scheme", words.reference_scheme, "NAME",
      "Scheme of the reference run (that of the study)");
  add("--phases", words.phases, "COUNT",
      "Runs for each step size, with randomly shifted grids of times, whose errors are averaged (1)");
  add_integrator_options(command, words.integrator);
  add("--workers", words.workers, "COUNT", "Runs at the same time (number of cores)");
  add("--threads", words.threads, "COUNT", "Threads of each run (1; all cores for --workers 1)");
  add("--out", words.out, "STEM", "Names of the files: STEM.csv and STEM.png (MODEL-convergence)");
  command.add_flag("--force", words.force, "Replace the files if they exist")->disable_flag_override();
  command.add_flag("--quiet", words.quiet, "Print nothing but errors")->disable_flag_override();
}

ConvergeOptions read_converge_options(const ConvergeWords& words) {
  const auto [model, scenario] = read_model(words.model, "converge");
  const ModelInfo& info = model.info();
  const double usual = info.convergence.until > 0 ? info.convergence.until : info.until;
  const IntegratorChoice integrator = read_integrator_options(words.integrator, info.step);

  // Not within the braces, where GCC 12 destroys too many objects if one of the calls throws.
  std::vector<double> steps = words.steps ? read_steps(*words.steps) : default_steps(info);
  const double until = real_or(usual, "--until", words.until, Range::positive());
  const double reference_step = real_or(0.0, "--reference", words.reference, Range::positive());
  std::string reference_scheme = integrator.scheme;
  if (words.reference_scheme) reference_scheme = read_scheme("--reference-scheme", *words.reference_scheme);
  const Index phases = integer_or(1, "--phases", words.phases, Range::between(1, 1000));
  const Index workers =
      integer_or(models::available_workers(), "--workers", words.workers, Range::between(1, 1024));
  const Index threads = integer_or(workers > 1 ? 1 : 0, "--threads", words.threads, Range::between(1, 256));

  ConvergeOptions options{
      .model = info.name,
      .plan = {.scenario = scenario,
               .scheme = integrator.scheme,
               .options = integrator.options,
               .steps = std::move(steps),
               .until = until,
               .quantities = words.quantities.empty() ? info.convergence.quantities : words.quantities,
               .reference_step = reference_step,
               .reference_scheme = std::move(reference_scheme),
               .phases = static_cast<int>(phases)},
      .workers = static_cast<unsigned>(workers),
      .threads = threads,
      .table = {},
      .figure = {},
      .quiet = words.quiet};
  if (words.integrator.max_iterations) options.plan.max_iterations = integrator.options.max_iterations;
  const std::string stem = words.out.value_or(info.name + "-convergence");
  if (stem.empty()) throw OptionError("--out is \"\", must be the beginning of file names");
  options.table = stem + ".csv";
  options.figure = stem + ".png";
  check_name(options.table, words.force);
  check_name(options.figure, words.force);
  return options;
}

}  // namespace picus::program
