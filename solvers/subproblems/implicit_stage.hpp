#pragma once

#include <picus/solvers/subproblems/stage.hpp>

namespace picus {

/// The motion at a stage as a function of its own velocity increment z and of that of another stage, y:
///
///     v = v_0 + v_own z + v_other y,    q = q_n o exp(dq_0 + dq_own z + dq_other y),    z = force_rate a
///
/// with the acceleration a of the stage.
struct StageFormulas {
  double time = 0.0;        ///< from t_n to the stage, s
  double force_rate = 0.0;  ///< s, > 0
  double v_own = 1.0;
  double v_other = 0.0;
  double dq_own = 0.0;    ///< s
  double dq_other = 0.0;  ///< s
  Vector v_0, dq_0;       ///< natural layout
};

/// The equations of motion at one stage of an implicit scheme, constraints and closed contacts at velocity level
/// (Rezaei and Schindler, sections 2.4 to 2.7):
///
///     M z - c f - G^T mu - G_c^T P = 0,   G v + g_t = 0,   contact conditions between G_c v and P,   c = force_rate
///
/// all evaluated at q and v of the stage; mu = c lambda and P are impulses. Contacts have no restitution here. A single
/// stage is a problem by itself; two coupled stages are combined by TwoStageProblem.
class ImplicitStage : public Stage {
 public:
  explicit ImplicitStage(StepData& data)
      : ImplicitStage(data, data, "stage", KktAssembler::Rows::bilateral_and_contacts) {}

  /// Sets y, which must outlive the solves; null: none.
  void set_other(const Vector* y) { y_ = y; }
  /// Starts from the given acceleration and bilateral forces lambda, and the contact multipliers set before, at data.t.
  /// Prescribed components follow their motions.
  void begin(const StageFormulas& formulas, const Vector& acceleration, const Vector& lambda);

  // Expressions: no copies.
  auto acceleration() const { return increment() / formulas_.force_rate; }
  /// lambda, and the contact forces.
  auto bilateral_force() const { return mu_ / formulas_.force_rate; }
  auto contact_force() const { return contact_P_ / formulas_.force_rate; }
  /// M a - f - G^T lambda - G_c^T lambda_c in natural layout: the reactions of prescribed components.
  auto reaction() const { return momentum_residual() / formulas_.force_rate; }

 protected:
  /// For the equations at `point` of the step data.
  ImplicitStage(StepData& data, StagePoint& point, std::string_view name, KktAssembler::Rows rows);
  /// The weights without their tolerances; sets the initial guess z_start_. `velocity_increment`: change of velocity in
  /// the step, m/s.
  StageSetting predict_stage(const StageFormulas& formulas, const Vector& acceleration,
                             const Vector& velocity_increment);

  StagePoint* point_;
  StageFormulas formulas_;  ///< for prescribed components according to their motions
  Vector z_start_, mu_start_;

 private:
  const Vector* y_ = nullptr;
  Vector velocity_increment_, prescribed_;  ///< buffers
};

}  // namespace picus
