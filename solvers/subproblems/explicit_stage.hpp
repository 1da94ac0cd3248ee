#pragma once

#include <picus/solvers/subproblems/stage.hpp>

namespace picus::solvers {

/// One stage of a half-explicit scheme: forces, masses and the directions of reactions at a motion that is known,
/// constraints and contacts at a configuration that is known, only the reactions implicit:
///
///     M z - c f - G^T mu - G_c^T P = 0      at a point where forces act, at v_f
///     G v + g_t = 0,   contact conditions between G_c v + e G_c,n v_n and P,   v = v_0 + z     at that of the data
///
/// linear but for the contacts. mu and P are impulses.
class ExplicitStage : public Stage {
 public:
  struct Formulas {
    double force_rate = 0.0;           ///< c, s
    StagePoint* forces = nullptr;      ///< where forces act
    const Vector* v_forces = nullptr;  ///< v_f
    const Vector* v_0 = nullptr;
    const Vector* prescribed = nullptr;  ///< v of prescribed components
    bool has_impact_law = false;         ///< e of the contacts, otherwise 0; their rates before are G_c v_n
  };

  explicit ExplicitStage(StepData& data);

  /// From z = 0, no bilateral impulses and the contact multipliers that are set. Both points have been evaluated.
  void begin(const Formulas& formulas);

 private:
  Vector z_start_, rate_n_;
};

}  // namespace picus::solvers
