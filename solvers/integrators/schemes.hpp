#pragma once

/// The time integration schemes by name, as `--scheme` and the benchmarks choose them.

#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

struct Scheme {
  std::string name;     ///< as typed, e.g. "ds"
  std::string summary;  ///< one sentence
  std::string source;   ///< paper and section
};

/// What all schemes have in common.
using IntegratorOptions = DecoupledNsgaOptions;

const std::vector<Scheme>& schemes();
bool has_scheme(std::string_view name);

/// Throws OptionError for an unknown name (it offers the nearest one) and for an option out of its range.
std::unique_ptr<TimeIntegrator> make_integrator(std::string_view scheme, const IntegratorOptions& options);

}  // namespace picus
