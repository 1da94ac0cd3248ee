#include <picus/error.hpp>
#include <picus/solvers/integrators/chen_nsga.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/mixed_scheme.hpp>
#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::unique_ptr<TimeIntegrator> make_chen(const SchemeSettings& settings, const IntegratorOptions& options) {
  return std::make_unique<ChenNsga>(options, settings.flag("projection"));
}

std::unique_ptr<TimeIntegrator> make_newmark(const SchemeSettings& settings,
                                             const IntegratorOptions& options) {
  return ChenNsga::newmark(options, settings.real("gamma", 0.5, 10), settings.real("beta", 0.25, 10),
                           settings.flag("projection"));
}

std::unique_ptr<TimeIntegrator> make_moreau_jean(const SchemeSettings& settings,
                                                 const IntegratorOptions& options) {
  return std::make_unique<MoreauJean>(options, MoreauJeanOptions{.theta = settings.real("theta", 0, 1),
                                                                 .prediction = settings.real("gamma", 0, 1),
                                                                 .projects = settings.flag("projection")});
}

constexpr std::array mixed_bases = {MixedBaseKind::generalized_alpha, MixedBaseKind::bathe,
                                    MixedBaseKind::ed_alpha, MixedBaseKind::moreau_midpoint,
                                    MixedBaseKind::half_explicit};

MixedBaseKind read_mixed_base(const SchemeSettings& settings) {
  std::array<std::string_view, mixed_bases.size()> names;
  std::ranges::transform(mixed_bases, names.begin(), name_of);
  return mixed_bases[settings.choice("base", names)];
}

std::unique_ptr<TimeIntegrator> make_mixed(const SchemeSettings& settings, const IntegratorOptions& options) {
  const MixedOptions own{.base = read_mixed_base(settings), .alpha = settings.real("alpha", 0, 1)};
  return std::make_unique<MixedScheme>(options, own);
}

bool uses_mixed_rho_inf(const SchemeSettings& settings) {
  const MixedBaseKind base = read_mixed_base(settings);
  return base == MixedBaseKind::generalized_alpha || base == MixedBaseKind::ed_alpha;
}

SchemeOption projection() {
  return {"projection", "no", "yes or no",
          "Whether each step ends with a projection on the bilateral constraints"};
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
       .max_iterations = 100,
       .make = make_coupled},
      {.name = "chen",
       .summary = "Nonsmooth generalized-alpha with all constraints at velocity level, one solve a step.",
       .source = "Chen, Acary, Virlez and Bruels 2013",
       .options = {projection()},
       .make = make_chen},
      {.name = "newmark-implicit",
       .summary = "chen with the coefficients of the fully implicit Newmark method.",
       .source = "Chen and others 2013, section 3",
       .options = {{"gamma", "1", "0.5 to 10", "Newmark's gamma"},
                   {"beta", "0.5625", "gamma / 2 to 10", "Newmark's beta"},
                   projection()},
       .uses_rho_inf = false,
       .make = make_newmark},
      {.name = "moreau-jean",
       .summary = "Theta-method with all constraints at velocity level, one solve a step.",
       .source = "Jean and Moreau 1992; Chen and others 2013, eqs. 32 to 35",
       .options = {{"theta", "1", "above 0, up to 1", "1: implicit Euler, 0.5: trapezoidal rule"},
                   {"gamma", "0.5", "0 to 1", "A contact may close when g_n + gamma h G v_n <= 0"},
                   projection()},
       .uses_rho_inf = false,
       .make = make_moreau_jean},
      {.name = "mixed",
       .summary = "Mixed timestepping: a base scheme with forces in closed contacts, then impacts at "
                  "velocity level.",
       .source = "Rezaei and Schindler (preprint of 2015)",
       .options = {{"base", "generalized-alpha",
                    "generalized-alpha, bathe, ed-alpha, moreau-midpoint or half-explicit",
                    "The base scheme"},
                   {"alpha", "0.3333333333333333", "above 0, up to 1",
                    "Of ed-alpha: its damping begins at higher frequencies the smaller it is"}},
       .uses_rho_inf_with = uses_mixed_rho_inf,
       .make = make_mixed}};
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

bool uses_rho_inf(std::string_view text) {
  const Scheme& scheme = find_scheme(text);
  if (scheme.uses_rho_inf_with == nullptr) return scheme.uses_rho_inf;
  return scheme.uses_rho_inf_with(SchemeSettings(text, scheme.options));
}

std::unique_ptr<TimeIntegrator> make_integrator(std::string_view text, const IntegratorOptions& options) {
  const Scheme& scheme = find_scheme(text);
  return scheme.make(SchemeSettings(text, scheme.options), options);
}

}  // namespace picus
