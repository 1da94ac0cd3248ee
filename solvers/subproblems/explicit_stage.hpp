#pragma once

#include <picus/solvers/subproblems/stage.hpp>

namespace picus::solvers {

/// One stage of a half-explicit scheme: forces, masses and the directions of reactions are evaluated at a known motion,
/// constraints and contacts at a known configuration, only the reactions are implicit:
///
///     M z - c f - G^T mu - G_c^T P = 0      at the point of the forces, with v_f
///     G v + g_t = 0,   contact conditions between G_c v + e G_c,n v_n and P,   v = v_0 + z      at that of the data
///
/// which is linear except for the contacts. mu and P are impulses.
class ExplicitStage : public Stage {
 public:
  struct Formulas {
    double force_rate = 0.0;           ///< c, s
    StagePoint* forces = nullptr;      ///< point at which forces are evaluated
    const Vector* v_forces = nullptr;  ///< v_f
    const Vector* v_0 = nullptr;
    const Vector* prescribed = nullptr;  ///< v of prescribed components
    /// With restitution e of the contacts, otherwise 0; previous rates are G_c v_n.
    bool has_impact_law = false;
  };

  explicit ExplicitStage(StepData& data);

  /// Starts from z = 0, zero bilateral impulses and the contact multipliers set before. Both points must have been
  /// evaluated.
  void begin(const Formulas& formulas);

 private:
  Vector z_start_, rate_n_;
};

}  // namespace picus::solvers
