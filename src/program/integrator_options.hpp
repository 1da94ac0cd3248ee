#pragma once

/// The options of all commands that integrate: as typed, and the checked values.

#include <picus/solvers/integrators/schemes.hpp>
#include <picus/text_values.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace picus::program {

/// As typed; missing options have their defaults.
struct IntegratorWords {
  std::optional<std::string> scheme, step, rho_inf, tolerance, max_iterations, scaling, regularization;
  std::optional<std::string> linear_solver, contact_solver;
};

/// Adds all of them except --step.
void add_integrator_options(CLI::App& command, IntegratorWords& words);

struct IntegratorChoice {
  std::string scheme;
  SchemeOptions options;
};

/// Checks the options. Throws OptionError that names the invalid one.
IntegratorChoice read_integrator_options(const IntegratorWords& words, double recommended_step);

/// The scheme as typed; throws OptionError, with the nearest name, if the scheme or one of its options does not exist.
std::string read_scheme(std::string_view option, std::string_view word);

/// The value of `option`, or `otherwise` if it was not typed. Each throws OptionError unless `word` is a finite number
/// in `range`.
double real_or(double otherwise, std::string_view option, const std::optional<std::string>& word,
               const Range& range);
Index integer_or(Index otherwise, std::string_view option, const std::optional<std::string>& word,
                 const Range& range);

}  // namespace picus::program
