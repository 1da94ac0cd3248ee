#include "integrator_options.hpp"

#include "output.hpp"
#include <picus/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>

namespace picus::program {
namespace {

LinearSolverKind read_linear_solver(const std::optional<std::string>& word) {
  constexpr std::array kinds = {LinearSolverKind::automatic,
                                LinearSolverKind::klu,
                                LinearSolverKind::umfpack,
                                LinearSolverKind::cholmod,
                                LinearSolverKind::conjugate_gradients,
                                LinearSolverKind::gmres};
  return word ? kinds[read_choice("--linear-solver", *word,
                                  {"auto", "klu", "umfpack", "cholmod", "cg", "gmres"})]
              : kinds[0];
}

ContactSolverKind read_contact_solver(const std::optional<std::string>& word) {
  constexpr std::array kinds = {ContactSolverKind::automatic, ContactSolverKind::newton,
                                ContactSolverKind::sweeps};
  return word ? kinds[read_choice("--contact-solver", *word, {"auto", "newton", "sweeps"})] : kinds[0];
}

}  // namespace

void add_integrator_options(CLI::App& command, IntegratorWords& words) {
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const std::string& help) { command.add_option(name, word, help)->type_name(type); };
  add("--scheme", words.scheme, "NAME[:KEY=VALUE,...]",
      fmt::format("Time integration scheme (ds), as `{} list --schemes` prints it", program_name()));
  add("--rho-inf", words.rho_inf, "NUMBER",
      "The option rho_inf of the scheme: spectral radius at infinite frequency, 0 to 1 (0.8)");
  add("--tol", words.tolerance, "NUMBER", "Tolerance of each sub-problem, up to 0.01 (1e-8)");
  add("--max-iterations", words.max_iterations, "COUNT",
      "Iterations of a solve, then fallbacks (25; joint iterations of cs: 100)");
  add("--scaling", words.scaling, "NUMBER", "Scaling k = p over the effective mass (1)");
  add("--regularization", words.regularization, "NUMBER", "Proximal term on multipliers, up to 1e-4 (1e-8)");
  add("--linear-solver", words.linear_solver, "NAME", "auto, klu, umfpack, cholmod, cg or gmres (auto)");
  add("--contact-solver", words.contact_solver, "NAME", "auto, newton or sweeps (auto)");
}

std::string read_scheme(std::string_view option, std::string_view word) {
  try {
    make_integrator(word, {});
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}: {}", option, error.what()));
  }
  return std::string(word);
}

IntegratorChoice read_integrator_options(const IntegratorWords& words, double recommended_step) {
  IntegratorChoice choice{.scheme = words.scheme ? read_scheme("--scheme", *words.scheme) : "ds",
                          .options = {}};
  if (words.rho_inf) {
    const double rho_inf = read_real("--rho-inf", *words.rho_inf, Range::between(0, 1));
    choice.scheme = read_scheme("--rho-inf", with_option(choice.scheme, "rho_inf", number_text(rho_inf)));
  }
  const auto& infos = SchemeOptions::table().infos();
  const auto range = [&](std::string_view name) { return infos[find_parameter(name, infos)].range; };
  SchemeOptions& options = choice.options;
  options.step = real_or(recommended_step, "--step", words.step, range("step"));
  options.tolerance = real_or(options.tolerance, "--tol", words.tolerance, range("tolerance"));
  options.max_iterations = integer_or(find_scheme(choice.scheme).max_iterations, "--max-iterations",
                                      words.max_iterations, range("max_iterations"));
  options.scaling = real_or(options.scaling, "--scaling", words.scaling, range("scaling"));
  options.regularization =
      real_or(options.regularization, "--regularization", words.regularization, range("regularization"));
  options.linear_solver = read_linear_solver(words.linear_solver);
  options.contact_solver = read_contact_solver(words.contact_solver);
  return choice;
}

double real_or(double otherwise, std::string_view option, const std::optional<std::string>& word,
               const Range& range) {
  return word ? read_real(option, *word, range) : otherwise;
}

Index integer_or(Index otherwise, std::string_view option, const std::optional<std::string>& word,
                 const Range& range) {
  return word ? read_integer(option, *word, range) : otherwise;
}

}  // namespace picus::program
