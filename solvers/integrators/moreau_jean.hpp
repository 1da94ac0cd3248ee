#pragma once

#include <picus/solvers/integrators/velocity_level_scheme.hpp>

namespace picus {

/// What the scheme has beside the options of all.
struct MoreauJeanOptions {
  double theta = 1.0;          ///< in (0, 1]: 1 implicit Euler, 1/2 trapezoidal rule
  double prediction = 0.5;     ///< gamma of the predicted gap, in [0, 1]; not used when it dissipates
  bool dissipates = false;     ///< Acary's variant
  VelocityLevelOptions level;  ///< of all schemes at velocity level

  /// All of them as parameters.
  static const ParameterTable<MoreauJeanOptions>& table();
};

/// The scheme of Moreau and Jean as Chen and others (2013) write it for comparison, eqs. 32 to 35:
///
///     v~ = v_n + h (1 - theta) vd_n + h theta vd,                 v = v~ + W
///     dq = h (1 - theta) v_n + h theta v
///
/// A contact may close when g_n + gamma h G_n v_n <= 0 (Acary, eq. 27 of the slides). The variant that takes energy from
/// linear systems for every restitution, if theta >= 1/2 (eqs. 66 to 69), has
///
///     dq = h/2 (v_n + v)
///
/// instead, and the gap at t_{n+1} where the iteration starts (vd = vd_n, W = 0) decides.
class MoreauJean : public VelocityLevelScheme {
 public:
  /// rho_inf is not used. Throws OptionError for an option out of its range; the variant needs theta >= 1/2.
  explicit MoreauJean(const SchemeOptions& options = {}, const MoreauJeanOptions& own = {});

  std::string_view name() const override { return "moreau-jean"; }
  ForceRule force_rule() const override { return {.gamma = own_.theta}; }
  TextEntries options() const override;

 private:
  void begin_step(const State& state, double h, DifferenceFormulas& formulas) const override;
  void predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                    Vector& gaps) const override;
  void advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                         Vector& auxiliary) const override;

  MoreauJeanOptions own_;
};

}  // namespace picus
