#pragma once

#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// The smooth motion (Galvez 2020, eqs. 3.34 and 3.35): generalized-alpha, bilateral constraints at velocity
/// level. Unknown dv~/dt at t_{n+1} and lambda; the motion follows from it by the difference formulas.
class SmoothProblem : public Subproblem {
 public:
  explicit SmoothProblem(StepData& data) : Subproblem(data, KktAssembler::Rows::bilateral), G_(data.G) {}

  std::string_view name() const override { return "smooth"; }

  /// Predicts with the acceleration and multipliers of t_n. Where that turns out poor (stiff vibrations after an impact,
  /// at steps that do not resolve them), the first evaluation goes over to no acceleration if that fits better.
  void begin(const GeneralizedAlpha& alpha, const Vector& acceleration_n, const Vector& auxiliary_n,
             const Vector& lambda_n);
  /// Takes forces, masses and gradients at the total motion, with the position correction U and the velocity
  /// jump W added, as the coupled scheme does (Galvez 2020, eq. 3.5); data.q_smooth is then the total q. Both
  /// must outlive the problem.
  void follow(const Vector& U, const Vector& W);
  /// Hands the motion to the other sub-problems; a_{n+1} goes to `auxiliary`.
  void finish(Vector& auxiliary);

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;

  /// M dv~ - f - G^T lambda in natural layout: those of prescribed components hold their reactions.
  const Vector& momentum_residual() const { return residual_; }

 private:
  ResidualNorm evaluate_here(Vector& r);

  bool has_chosen_start_ = false;
  Vector to_rest_;             ///< change of the unknowns that takes the predicted acceleration away
  double dq_rate_ = 0.0;       ///< d dq~ / d vd
  double v_rate_ = 0.0;        ///< d v~ / d vd
  double a_rate_ = 0.0;        ///< d a / d vd
  const Vector* U_ = nullptr;  ///< null: at the smooth motion
  const Vector* W_ = nullptr;
  Vector dq_, v_;  ///< increments and velocities that forces and masses are taken at
  Gradients G_;
  Vector auxiliary_;
  Vector row_rate_, partial_rate_;
};

}  // namespace picus
