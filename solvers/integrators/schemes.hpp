#pragma once

/// The time integration schemes by name, as `--scheme` and the benchmarks choose them; docs/integrators.md
/// describes them.

#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/solvers/integrators/scheme_settings.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// What all schemes have in common. Fallbacks, reuse and variant matter to the decoupled scheme only.
using IntegratorOptions = DecoupledNsgaOptions;

/// One entry of `picus list --schemes`.
struct Scheme {
  std::string name;                   ///< as typed, e.g. "ds"
  std::string summary;                ///< one sentence
  std::string source;                 ///< paper and section
  std::vector<SchemeOption> options;  ///< those of its own
  /// Iterations before a solve is given up (ds: before fallbacks) that suit the scheme, for programs that let
  /// users choose; IntegratorOptions::max_iterations decides.
  int max_iterations = DecoupledNsgaOptions{}.max_iterations;
  bool uses_rho_inf = true;  ///< whether the spectral radius at infinite frequency means something to it
  /// Where that depends on the settings; null: uses_rho_inf holds.
  bool (*uses_rho_inf_with)(const SchemeSettings& settings) = nullptr;
  /// Makes the integrator; make_integrator() calls it.
  std::unique_ptr<TimeIntegrator> (*make)(const SchemeSettings& settings, const IntegratorOptions& options);
};

/// All schemes, `ds` first.
const std::vector<Scheme>& schemes();

/// Whether the name in NAME or NAME:KEY=VALUE,... is one of schemes().
bool has_scheme(std::string_view text);
/// Throws OptionError, with the nearest name, when there is none.
const Scheme& find_scheme(std::string_view text);

/// Whether rho_inf means something to the scheme that the text stands for. Throws OptionError as make_integrator.
bool uses_rho_inf(std::string_view text);

/// The scheme that NAME or NAME:KEY=VALUE,... stands for. Throws OptionError for an unknown name or key (it offers
/// the nearest one) and for an option out of its range.
std::unique_ptr<TimeIntegrator> make_integrator(std::string_view text, const IntegratorOptions& options);

}  // namespace picus
