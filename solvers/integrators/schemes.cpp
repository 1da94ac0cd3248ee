#include <picus/error.hpp>
#include <picus/solvers/integrators/alpha_scheme.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/mixed_scheme.hpp>
#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>
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

VelocityLevelOptions velocity_level(const SchemeSettings& settings) {
  constexpr std::array solvers = {VelocityLevelSolver::newton, VelocityLevelSolver::lcp};
  return {.projects = settings.flag("projection"),
          .solver = solvers[settings.choice("solver", {"newton", "lcp"})]};
}

std::unique_ptr<TimeIntegrator> with_contacts(const SchemeSettings& settings,
                                              std::unique_ptr<AlphaScheme> scheme) {
  const AlphaContacts contacts{.smooth = settings.flag("smooth"), .at_position = settings.flag("position")};
  if (contacts.at_position) settings.refuse_if_set("solver", "when position is yes");
  scheme->set_contacts(contacts);
  return scheme;
}

std::unique_ptr<TimeIntegrator> make_chen(const SchemeSettings& settings, const IntegratorOptions& options) {
  return with_contacts(settings, AlphaScheme::chen(options, velocity_level(settings)));
}

std::unique_ptr<TimeIntegrator> make_newmark(const SchemeSettings& settings,
                                             const IntegratorOptions& options) {
  const double gamma = settings.real("gamma", 0.5, 10);
  const double beta = settings.is_set("beta") ? settings.real("beta", 0.25, 10) : gamma / 2;
  return with_contacts(settings,
                       AlphaScheme::newmark("newmark", options, gamma, beta, velocity_level(settings)));
}

std::unique_ptr<TimeIntegrator> make_newmark_implicit(const SchemeSettings& settings,
                                                      const IntegratorOptions& options) {
  return with_contacts(settings,
                       AlphaScheme::newmark("newmark-implicit", options, settings.real("gamma", 0.5, 10),
                                            settings.real("beta", 0.25, 10), velocity_level(settings)));
}

std::unique_ptr<TimeIntegrator> make_hht(const SchemeSettings& settings, const IntegratorOptions& options) {
  return with_contacts(
      settings, AlphaScheme::hht(options, settings.real("alpha", 0, 1.0 / 3), velocity_level(settings)));
}

std::unique_ptr<TimeIntegrator> make_moreau_jean(const SchemeSettings& settings,
                                                 const IntegratorOptions& options) {
  const MoreauJeanOptions own{.theta = settings.real("theta", 0, 1),
                              .prediction = settings.real("gamma", 0, 1),
                              .dissipates = settings.flag("dissipates")};
  if (own.dissipates) settings.refuse_if_set("gamma", "when dissipates is yes");
  return std::make_unique<MoreauJean>(options, own, velocity_level(settings));
}

/// Bases in the order of MixedBaseKind.
MixedBaseKind read_mixed_base(const SchemeSettings& settings) {
  return static_cast<MixedBaseKind>(settings.choice(
      "base", {"generalized-alpha", "bathe", "ed-alpha", "moreau-midpoint", "half-explicit"}));
}

std::unique_ptr<TimeIntegrator> make_mixed(const SchemeSettings& settings, const IntegratorOptions& options) {
  const MixedOptions own{.base = read_mixed_base(settings), .alpha = settings.real("alpha", 0, 1)};
  if (own.base != MixedBaseKind::ed_alpha) settings.refuse_if_set("alpha", "when the base is not ed-alpha");
  return std::make_unique<MixedScheme>(options, own);
}

bool uses_mixed_rho_inf(const SchemeSettings& settings) {
  const MixedBaseKind base = read_mixed_base(settings);
  return base == MixedBaseKind::generalized_alpha || base == MixedBaseKind::ed_alpha;
}

std::unique_ptr<TimeIntegrator> make_schatzman_paoli(const SchemeSettings& settings,
                                                     const IntegratorOptions& options) {
  return std::make_unique<SchatzmanPaoli>(options, settings.real("theta", 0, 1));
}

SchemeOption solver() {
  return {"solver", "newton", "newton or lcp",
          "lcp: sequence of linear complementarity problems, by Lemke's method; without friction"};
}
SchemeOption projection() {
  return {"projection", "no", "yes or no",
          "Whether each step ends with a projection on the bilateral constraints"};
}

SchemeOption smooth() {
  return {"smooth", "no", "yes or no",
          "Impulses as forces of the smooth formulas: inconsistent unless gamma = 1"};
}

SchemeOption position() {
  return {"position", "no", "yes or no", "Contacts at position level, without law of impact: inconsistent"};
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
       .options = {solver(), projection(), smooth(), position()},
       .make = make_chen},
      {.name = "newmark-implicit",
       .summary = "chen with the coefficients of the fully implicit Newmark method.",
       .source = "Chen and others 2013, section 3",
       .options = {{"gamma", "1", "0.5 to 10", "Newmark's gamma"},
                   {"beta", "0.5625", "gamma / 2 to 10", "Newmark's beta"},
                   solver(),
                   projection(),
                   smooth(),
                   position()},
       .uses_rho_inf = false,
       .make = make_newmark_implicit},
      {.name = "newmark",
       .summary =
           "Nonsmooth Newmark: the trapezoidal rule of smooth motion, or more damping with gamma > 1/2.",
       .source = "Acary's slides, eq. 52",
       .options = {{"gamma", "0.5", "0.5 to 10", "Newmark's gamma"},
                   {"beta", "0.25", "gamma / 2 to 10", "Newmark's beta; gamma / 2 where it is not given"},
                   solver(),
                   projection(),
                   smooth(),
                   position()},
       .uses_rho_inf = false,
       .make = make_newmark},
      {.name = "hht",
       .summary = "Nonsmooth HHT: second order in smooth motion, dissipates high frequencies.",
       .source = "Acary's slides, eqs. 52 and 81; Hilber, Hughes and Taylor 1977",
       .options = {{"alpha", "0.05", "0 to 1/3", "Share of the forces taken at t_n; 0: trapezoidal rule"},
                   solver(),
                   projection(),
                   smooth(),
                   position()},
       .uses_rho_inf = false,
       .make = make_hht},
      {.name = "moreau-jean",
       .summary = "Theta-method with all constraints at velocity level, one solve a step.",
       .source = "Jean and Moreau 1992; Chen and others 2013, eqs. 32 to 35; variant: Acary's slides, eq. 66",
       .options = {{"theta", "1", "above 0, up to 1", "1: implicit Euler, 0.5: trapezoidal rule"},
                   {"gamma", "0.5", "0 to 1", "A contact may close when g_n + gamma h G v_n <= 0"},
                   {"dissipates", "no", "yes or no",
                    "Acary's variant: positions by the mean of v_n and v; theta from 0.5, without gamma"},
                   solver(),
                   projection()},
       .uses_rho_inf = false,
       .make = make_moreau_jean},
      {.name = "schatzman-paoli",
       .summary = "Two-step scheme with constraints and impacts at position level; without friction.",
       .source = "Paoli and Schatzman 2002; Acary's slides, eqs. 28 and 29",
       .options =
           {{"theta", "0.5", "0 to 1",
             "Forces at q_n + theta dq; 0: explicit, stable for w h < 2; from 0.5 stable for all steps"}},
       .uses_rho_inf = false,
       .make = make_schatzman_paoli},
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
