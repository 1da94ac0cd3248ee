#include <picus/error.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {"ds", "Decoupled nonsmooth generalized-alpha: smooth motion, position and velocity in three solves.",
       "Cosimo and others 2020; Galvez 2020, chapters 3 and 4"}};
  return all;
}

bool has_scheme(std::string_view name) {
  return std::ranges::any_of(schemes(), [&](const Scheme& scheme) { return scheme.name == name; });
}

std::unique_ptr<TimeIntegrator> make_integrator(std::string_view scheme, const IntegratorOptions& options) {
  if (!has_scheme(scheme)) {
    std::vector<std::string> names;
    for (const Scheme& known : schemes()) names.push_back(known.name);
    throw OptionError(fmt::format("there is no scheme \"{}\"{}", scheme, suggestion(scheme, names)));
  }
  return std::make_unique<DecoupledNsga>(options);
}

}  // namespace picus
