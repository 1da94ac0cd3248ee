#include <picus/error.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {
namespace {

template <DecoupledVariant variant>
std::unique_ptr<TimeIntegrator> make_decoupled(const SchemeSettings& /*settings*/,
                                               const IntegratorOptions& options) {
  DecoupledNsgaOptions own = options;
  own.variant = variant;
  return std::make_unique<DecoupledNsga>(own);
}

std::unique_ptr<TimeIntegrator> make_coupled(const SchemeSettings& /*settings*/,
                                             const IntegratorOptions& options) {
  return std::make_unique<CoupledNsga>(options);
}

}  // namespace

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {.name = "ds",
       .summary =
           "Decoupled nonsmooth generalized-alpha: smooth motion, position and velocity in three solves.",
       .source = "Cosimo and others 2020; Galvez 2020, chapters 3 and 4",
       .options = {},
       .make = make_decoupled<DecoupledVariant::complete>},
      {.name = "dsn",
       .summary = "ds without the change of forces under the corrections, f^p = f* = 0.",
       .source = "Galvez 2020, eq. 3.32",
       .options = {},
       .make = make_decoupled<DecoupledVariant::without_force_changes>},
      {.name = "ds-np",
       .summary = "ds with friction at velocity level only; what sticks creeps.",
       .source = "Galvez 2020, section 4.2.1 (NSGA-NP)",
       .options = {},
       .make = make_decoupled<DecoupledVariant::without_position_friction>},
      {.name = "cs",
       .summary = "Original, coupled nonsmooth generalized-alpha: three sub-problems iterated jointly.",
       .source = "Bruels, Acary and Cardona 2014; Galvez 2020, sections 3.2 and 3.3",
       .options = {},
       .make = make_coupled}};
  return all;
}

bool has_scheme(std::string_view text) {
  return std::ranges::any_of(schemes(), [&](const Scheme& one) { return one.name == scheme_name(text); });
}

const Scheme& find_scheme(std::string_view text) {
  const std::string_view name = scheme_name(text);
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) {
    if (scheme.name == name) return scheme;
    names.push_back(scheme.name);
  }
  throw OptionError(fmt::format("there is no scheme \"{}\"{}", name, suggestion(name, names)));
}

std::unique_ptr<TimeIntegrator> make_integrator(std::string_view text, const IntegratorOptions& options) {
  const Scheme& scheme = find_scheme(text);
  return scheme.make(SchemeSettings(text, scheme.options), options);
}

}  // namespace picus
