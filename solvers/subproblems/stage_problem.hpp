#pragma once

#include <picus/solvers/subproblems/contact_rate_rows.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

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
/// everything at q and v of the stage; mu = c lambda and P are impulses. Contacts have no restitution here. Unknown z
/// and the multipliers. A stage of its own is a problem of its own; where two depend on each other, TwoStageProblem
/// joins them.
class StageProblem : public Subproblem {
 public:
  explicit StageProblem(StepData& data);

  std::string_view name() const override { return "stage"; }

  /// From the acceleration, the bilateral forces lambda and the contact multipliers that are set, at data.t. Prescribed
  /// components follow their motions, given the y of another stage.
  void begin(const StageFormulas& formulas, const Vector& acceleration, const Vector& lambda,
             const Vector* y = nullptr);
  /// Contacts that are not closed carry no force.
  void set_closed(std::size_t contact, bool is_closed) { cones_[contact].enabled = is_closed; }

  /// The residual with the other stage at y.
  ResidualNorm evaluate(Vector& r, const Vector& y);
  /// Derivative of the residual with respect to y, in the pattern of the tangent (no multipliers).
  const SparseMatrix& coupling();
  /// The same where each contact multiplier is held.
  const SparseMatrix& coupling_with_held_multipliers();

  ResidualNorm evaluate(Vector& r) override { return evaluate(r, nothing_); }
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;
  void contact_response(const Vector& dx, Vector& response) override;
  /// Change of the rates under a change dx of the unknowns of the other stage.
  void contact_response_to_other(const Vector& dx, Vector& response);

  const Vector& increment() const { return z_; }
  const Vector& velocity() const { return v_; }
  // Expressions: no copies.
  auto acceleration() const { return z_ / formulas_.force_rate; }
  /// lambda, and the contact forces.
  auto bilateral_force() const { return mu_ / formulas_.force_rate; }
  auto contact_force() const { return contact_P_ / formulas_.force_rate; }
  /// M a - f - G^T lambda - G_c^T lambda_c in natural layout: what holds prescribed components.
  auto reaction() const { return residual_ / formulas_.force_rate; }

 private:
  const Chart* chart() const override { return &chart_; }
  void take_speeds(const Vector& acceleration);
  void add_derivatives(double v_rate, double dq_rate);
  void respond(double v_rate, double dq_rate, const Vector& dx, Vector& response);

  StageFormulas formulas_;
  Vector z_, v_;
  Vector nothing_;  ///< y of a stage that stands alone
  Vector row_rate_, partial_rate_;
  Vector scaled_row_, scaled_contact_;  ///< buffers
  ContactRateRows contact_rows_;
};

}  // namespace picus
