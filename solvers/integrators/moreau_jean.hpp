#pragma once

#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/integrators/velocity_level_scheme.hpp>

namespace picus {

/// Options of the scheme in addition to SchemeOptions.
struct MoreauJeanOptions {
  double theta = 1.0;          ///< in (0, 1]: 1 implicit Euler, 1/2 trapezoidal rule
  double prediction = 0.5;     ///< gamma of the predicted gap, in [0, 1]; not used by the dissipative variant
  bool dissipates = false;     ///< Acary's dissipative variant
  VelocityLevelOptions level;  ///< options of all schemes at velocity level

  /// All options as parameters.
  static const ParameterTable<MoreauJeanOptions>& table();
};

/// The scheme of Moreau and Jean as stated for comparison by Chen and others (2013), eqs. 32 to 35:
///
///     v~ = v_n + h (1 - theta) vd_n + h theta vd,                 v = v~ + W
///     dq = h (1 - theta) v_n + h theta v
///
/// A contact may close if g_n + gamma h G_n v_n <= 0 (Acary, eq. 27 of the slides). The variant that dissipates energy
/// in linear systems for every coefficient of restitution, if theta >= 1/2 (eqs. 66 to 69), has
///
///     dq = h/2 (v_n + v)
///
/// instead, and a contact may close according to the gap at t_{n+1} at the start of the iteration (vd = vd_n, W = 0).
class MoreauJean : public VelocityLevelScheme {
 public:
  /// Throws OptionError for an option out of range; the dissipative variant requires theta >= 1/2.
  explicit MoreauJean(const SchemeOptions& options = {}, const MoreauJeanOptions& own = {});

  std::string_view name() const override { return "moreau-jean"; }
  TextEntries options() const override;

 private:
  void begin_step(const State& state, double h, DifferenceFormulas& formulas) const override;
  void predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                    Vector& gaps) const override;
  StepForces quadrature(double h) const override {
    return GeneralizedAlpha::newmark(own_.theta, 0.0).step_forces(h);
  }
  void advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                         Vector& auxiliary) const override;

  MoreauJeanOptions own_;
};

}  // namespace picus
