/// Names, ranges and meanings of the options of all schemes.

#include <picus/parameter_table.hpp>
#include <picus/solvers/integrators/alpha_scheme.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/solvers/integrators/mixed_base.hpp>
#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>

namespace picus {

const ParameterTable<FallbackPolicy>& FallbackPolicy::table() {
  using P = FallbackPolicy;
  static const auto table =
      ParameterTable<P>()
          .flag("fallback_smaller_scaling", &P::smaller_scaling, "Solve again with k and p divided by 100")
          .flag("fallback_other_first_guess", &P::other_first_guess,
                "Solve again from what the first attempt did not begin with: contacts of the last step, or "
                "none")
          .flag("fallback_interior_point", &P::interior_point,
                "Solve for the contacts by an interior-point method")
          .flag("fallback_no_restitution", &P::no_restitution, "The same without restitution")
          .flag("fallback_least_violation", &P::smallest_feasible_shift,
                "Leave rows that contradict each other open by the least violation")
          .real("accepted_residual", &P::accepted_residual, Range::between(1, 1e6), "",
                "Times its tolerance a residual is accepted at last");
  return table;
}

const ParameterTable<SchemeOptions>& SchemeOptions::table() {
  using P = SchemeOptions;
  static const auto table =
      ParameterTable<P>()
          .real("step", &P::step, Range::positive(), "s", "Step size")
          .real("tolerance", &P::tolerance, {.low = 0, .high = 1e-2, .low_included = false}, "",
                "Tolerance of each sub-problem, relative to the motion over a step")
          .integer("max_iterations", &P::max_iterations, Range::between(1, 1000), "Iterations of a solve")
          .real("scaling", &P::scaling, Range::positive(), "", "Scaling k = p over the effective mass")
          .real("regularization", &P::regularization, Range::between(0, 1e-4), "",
                "Proximal term on multipliers")
          .part(&P::fallbacks, FallbackPolicy::table());
  return table;
}

const ParameterTable<DecoupledNsgaOptions>& DecoupledNsgaOptions::table() {
  using P = DecoupledNsgaOptions;
  static const auto table =
      ParameterTable<P>()
          .real("rho_inf", &P::rho_inf, Range::between(0, 1), "", "Spectral radius at infinite frequency")
          .choice("reuse", &P::reuse,
                  {{"automatic", TangentReuse::automatic},
                   {"never", TangentReuse::never},
                   {"always", TangentReuse::always}},
                  "Whether factors of earlier tangents serve again; automatic: of large problems")
          .integer("step_cuts", &P::step_cuts, Range::between(0, 10), "How often a step may be halved");
  return table;
}

const ParameterTable<CoupledNsgaOptions>& CoupledNsgaOptions::table() {
  static const auto table =
      ParameterTable<CoupledNsgaOptions>().real("rho_inf", &CoupledNsgaOptions::rho_inf, Range::between(0, 1),
                                                "", "Spectral radius at infinite frequency");
  return table;
}

const ParameterTable<VelocityLevelOptions>& VelocityLevelOptions::table() {
  using P = VelocityLevelOptions;
  static const auto table =
      ParameterTable<P>()
          .choice("solver", &P::solver,
                  {{"newton", VelocityLevelSolver::newton},
                   {"full-newton", VelocityLevelSolver::full_newton},
                   {"lcp", VelocityLevelSolver::lcp}},
                  "full-newton: neither line search nor remedies; lcp: sequence of linear complementarity "
                  "problems, by Lemke's method, without friction")
          .flag("projection", &P::projects,
                "Whether each step ends with a projection on the bilateral constraints");
  return table;
}

namespace {

/// The table with the options that these schemes have in addition to their coefficients.
template <class P>
ParameterTable<P> with_contacts(ParameterTable<P> table) {
  return table.part(&P::level, VelocityLevelOptions::table()).part(&P::contacts, AlphaContacts::table());
}

}  // namespace

const ParameterTable<AlphaContacts>& AlphaContacts::table() {
  using P = AlphaContacts;
  static const auto table =
      ParameterTable<P>()
          .flag("smooth", &P::smooth,
                "Impulses as forces of the smooth formulas: inconsistent unless gamma = 1")
          .flag("position", &P::at_position,
                "Contacts at position level, without law of impact: inconsistent");
  return table;
}

const ParameterTable<ChenOptions>& ChenOptions::table() {
  static const auto table = with_contacts(ParameterTable<ChenOptions>().real(
      "rho_inf", &ChenOptions::rho_inf, Range::between(0, 1), "", "Spectral radius at infinite frequency"));
  return table;
}

const ParameterTable<NewmarkOptions>& NewmarkOptions::table() {
  using P = NewmarkOptions;
  static const auto table = with_contacts(
      ParameterTable<P>()
          .real("gamma", &P::gamma, Range::between(0.5, 10), "", "Newmark's gamma")
          .real("beta", &P::beta, Range::between(0.25, 10), "", "Newmark's beta, at least gamma / 2"));
  return table;
}

const ParameterTable<HhtOptions>& HhtOptions::table() {
  static const auto table = with_contacts(
      ParameterTable<HhtOptions>().real("alpha", &HhtOptions::alpha, Range::between(0, 1.0 / 3), "",
                                        "Share of the forces taken at t_n; 0: trapezoidal rule"));
  return table;
}

const ParameterTable<MoreauJeanOptions>& MoreauJeanOptions::table() {
  using P = MoreauJeanOptions;
  static const auto table =
      ParameterTable<P>()
          .real("theta", &P::theta, {.low = 0, .high = 1, .low_included = false}, "",
                "1: implicit Euler, 0.5: trapezoidal rule")
          .real("gamma", &P::prediction, Range::between(0, 1), "",
                "A contact may close when g_n + gamma h G v_n <= 0")
          .flag("dissipates", &P::dissipates,
                "Acary's variant: positions by the mean of v_n and v; theta from 0.5, without gamma")
          .part(&P::level, VelocityLevelOptions::table());
  return table;
}

const ParameterTable<SchatzmanPaoliOptions>& SchatzmanPaoliOptions::table() {
  static const auto table = ParameterTable<SchatzmanPaoliOptions>().real(
      "theta", &SchatzmanPaoliOptions::theta, Range::between(0, 1), "",
      "Forces at q_n + theta dq; 0: explicit, stable for w h < 2; from 0.5 stable for all steps");
  return table;
}

const ParameterTable<MixedOptions>& MixedOptions::table() {
  using P = MixedOptions;
  static const auto table = [] {
    std::vector<std::pair<std::string, MixedBaseKind>> bases;
    for (const MixedBaseKind base :
         {MixedBaseKind::generalized_alpha, MixedBaseKind::bathe, MixedBaseKind::ed_alpha,
          MixedBaseKind::moreau_midpoint, MixedBaseKind::half_explicit})
      bases.emplace_back(name_of(base), base);
    return ParameterTable<P>()
        .choice("base", &P::base, bases, "The base scheme")
        .real("rho_inf", &P::rho_inf, Range::between(0, 1), "",
              "Of generalized-alpha and ed-alpha: spectral radius at infinite frequency")
        .real("alpha", &P::alpha, {.low = 0, .high = 1, .low_included = false}, "",
              "Of ed-alpha: its damping begins at higher frequencies the smaller it is");
  }();
  return table;
}

}  // namespace picus
