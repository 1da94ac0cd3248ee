#include "run_options.hpp"

#include <picus/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>

namespace picus::program {
namespace {

using models::Range;

double real_or(double otherwise, std::string_view option, const std::optional<std::string>& word,
               const Range& range) {
  return word ? models::read_real(option, *word, range) : otherwise;
}

Index integer_or(Index otherwise, std::string_view option, const std::optional<std::string>& word,
                 const Range& range) {
  return word ? models::read_integer(option, *word, range) : otherwise;
}

LinearSolverKind read_linear_solver(const std::optional<std::string>& word) {
  constexpr std::array kinds = {LinearSolverKind::automatic,
                                LinearSolverKind::klu,
                                LinearSolverKind::umfpack,
                                LinearSolverKind::cholmod,
                                LinearSolverKind::conjugate_gradients,
                                LinearSolverKind::gmres};
  return word ? kinds[models::read_choice("--linear-solver", *word,
                                          {"auto", "klu", "umfpack", "cholmod", "cg", "gmres"})]
              : kinds[0];
}

DecoupledNsgaOptions read_integrator_options(const RunWords& words, double recommended_step) {
  DecoupledNsgaOptions options;
  options.step = real_or(recommended_step, "--step", words.step, Range::positive());
  options.rho_inf = real_or(options.rho_inf, "--rho-inf", words.rho_inf, Range::between(0, 1));
  options.tolerance =
      real_or(options.tolerance, "--tol", words.tolerance, {.low = 0, .high = 1e-2, .low_included = false});
  options.max_iterations =
      integer_or(options.max_iterations, "--max-iterations", words.max_iterations, Range::between(1, 1000));
  options.scaling = real_or(options.scaling, "--scaling", words.scaling, Range::positive());
  options.regularization =
      real_or(options.regularization, "--regularization", words.regularization, Range::between(0, 1e-2));
  options.linear_solver = read_linear_solver(words.linear_solver);
  return options;
}

}  // namespace

void add_run_options(CLI::App& command, RunWords& words) {
  command.add_option("MODEL", words.model, "Name of the model, as `picus list` prints it")->type_name("");
  command.add_option("--set", words.settings, "Set a parameter of the model; may be repeated")
      ->type_name("NAME=VALUE");
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const char* help) { command.add_option(name, word, help)->type_name(type); };
  add("--step", words.step, "SECONDS", "Step size; by default that of the model");
  add("--until", words.until, "SECONDS", "Final time; by default that of the model");
  add("--rho-inf", words.rho_inf, "NUMBER", "Spectral radius at infinite frequency, 0 to 1 (0.8)");
  add("--tol", words.tolerance, "NUMBER", "Tolerance of each sub-problem, up to 0.01 (1e-8)");
  add("--max-iterations", words.max_iterations, "COUNT", "Newton iterations before fallbacks (25)");
  add("--scaling", words.scaling, "NUMBER", "Scaling k = p over the effective mass (1)");
  add("--regularization", words.regularization, "NUMBER", "Proximal term on multipliers, up to 0.01 (1e-8)");
  add("--linear-solver", words.linear_solver, "NAME", "auto, klu, umfpack, cholmod, cg or gmres (auto)");
  add("--out", words.out, "FILE", "Result file (MODEL.h5)");
  add("--every", words.every, "STEPS", "Record every so many steps (1)");
  const auto add_patterns = [&](const char* name, std::vector<std::string>& patterns, const char* help) {
    command.add_option(name, patterns, help)->type_name("PATTERN")->allow_extra_args(false);
  };
  add_patterns("--record", words.include, "Record only such data sets, e.g. 'nodes/*'; may be repeated");
  add_patterns("--omit", words.exclude, "Do not record such data sets; may be repeated");
  command.add_flag("--force", words.force, "Replace the result file if it exists")->disable_flag_override();
  command.add_flag("--quiet", words.quiet, "Print nothing but errors")->disable_flag_override();
}

RunOptions read_run_options(const RunWords& words) {
  std::vector<std::string> settings = words.settings;
  std::string name = words.model;
  // `--set mu=0.35 woodpecker`: the last word looks like one more setting, but is the model.
  if (name.empty() && settings.size() > 1 && settings.back().find('=') == std::string::npos) {
    name = settings.back();
    settings.pop_back();
  }
  if (name.empty()) throw OptionError("picus run needs the name of a model; `picus list` names them");

  const models::RegisteredModel& model = models::find_model(name);
  RunOptions options{.scenario = model.configure(settings),
                     .integrator = read_integrator_options(words, model.info().step),
                     .until = real_or(model.info().until, "--until", words.until, Range::positive()),
                     .out = words.out.value_or(name + ".h5"),
                     .results = {.every = integer_or(1, "--every", words.every, {.low = 1}),
                                 .overwrite = words.force,
                                 .include = words.include,
                                 .exclude = words.exclude},
                     .quiet = words.quiet};
  if (options.out.empty()) throw OptionError("--out is \"\", must be the name of a file");
  return options;
}

}  // namespace picus::program
