#pragma once

#include <picus/solvers/subproblems/stage.hpp>

namespace picus {

/// How the motion at a stage follows from its own velocity increment z, and from that of another stage, y:
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
/// everything at q and v of the stage; mu = c lambda and P are impulses. Contacts have no restitution here. A stage of its
/// own is a problem of its own; where two depend on each other, TwoStageProblem joins them.
class ImplicitStage : public Stage {
 public:
  explicit ImplicitStage(StepData& data)
      : ImplicitStage(data, data, "stage", KktAssembler::Rows::bilateral_and_contacts) {}

  /// Where y is, which must outlive the solves; null: nowhere.
  void set_other(const Vector* y) { y_ = y; }
  /// From the acceleration, the bilateral forces lambda and the contact multipliers that are set, at data.t. Prescribed
  /// components follow their motions.
  void begin(const StageFormulas& formulas, const Vector& acceleration, const Vector& lambda);

  // Expressions: no copies.
  auto acceleration() const { return increment() / formulas_.force_rate; }
  /// lambda, and the contact forces.
  auto bilateral_force() const { return mu_ / formulas_.force_rate; }
  auto contact_force() const { return contact_P_ / formulas_.force_rate; }
  /// M a - f - G^T lambda - G_c^T lambda_c in natural layout: what holds prescribed components.
  auto reaction() const { return momentum_residual() / formulas_.force_rate; }

 protected:
  /// At a point of `data`.
  ImplicitStage(StepData& data, StagePoint& point, std::string_view name, KktAssembler::Rows rows);
  /// The weights but for their measures; what to begin from is in z_start_. `gained`: in the step, m/s.
  StageSetting predict(const StageFormulas& formulas, const Vector& acceleration, const Vector& gained);

  StagePoint* point_;
  StageFormulas formulas_;  ///< of prescribed components as their motions demand
  Vector z_start_, mu_start_;

 private:
  const Vector* y_ = nullptr;
  Vector gained_, given_;  ///< buffers
};

}  // namespace picus
