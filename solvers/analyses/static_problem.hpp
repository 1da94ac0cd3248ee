#pragma once

#include <picus/solvers/analyses/rotating_frame.hpp>
#include <picus/solvers/subproblems/stage.hpp>

#include <memory>
#include <optional>

namespace picus::solvers {

/// Static equilibrium at the time t and the load factor l, from the equilibrium q_n = data.q_n:
///
///     M a - f(q, v, t; l) - G^T lambda - G_c^T P = 0
///     g(q, t) = 0
///     contact conditions between (g_N, g_T) and P
///
/// in the form of the other sub-problems. v = a = 0, or the steady rotation of a RotatingFrame. Loads are
/// multiplied by l, and g_T is measured from q_n. Unknown U with q = q_n o exp(dq_smooth + U), dq_smooth
/// holding the increments of driven components, and the multipliers: forces, N and N m.
///
/// Momentum rows are measured against the sum of the magnitudes of the forces that they balance, and a
/// thousandth of the largest one; rows of constraints against a thousandth of the size of the model; both
/// times the tolerance. A residual at the level of rounding that falls no more is solved as well (newton_options()).
///
/// With a proximal term s D U in the momentum rows, D a typical force over the size of the model, it is an
/// implicit step of the gradient flow (pseudo-transient continuation) instead, which moves what has no
/// stiffness (yet) downhill.
class StaticProblem : public Stage {
 public:
  StaticProblem(StepData& data, const std::optional<Vec3>& angular_velocity);

  /// Takes the stiffness of the components and effective stiffnesses of rows and contacts from the state of
  /// data.q_n, and from them k and p.
  void measure_stiffness(LinearSolver& solver, double scaling, double regularization);
  /// From U = 0 and the multipliers given; `proximal` is s, 0 for equilibrium.
  void begin(const Vector& lambda, const Vector& P, double load_factor, double proximal);

  /// Those of a solve.
  static NewtonOptions newton_options(int max_iterations);
  /// Whether what was evaluated is an equilibrium up to its tolerance or rounding.
  static bool is_balanced(const ResidualNorm& norm) { return norm.worst <= 1.0 || norm.over_rounding <= 1.0; }

  /// Closed contacts with friction stick from now on; or no contact acts.
  void hold_contacts();
  void release_contacts();

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;

  /// The pattern of tangent().
  const SparseMatrix& pattern() const { return frame_ ? frame_->matrix() : kkt_.matrix(); }
  /// A solver that has analysed the pattern.
  std::unique_ptr<LinearSolver> make_solver(LinearSolverKind kind) const;
  /// The tangent without proximal term at the iterate last evaluated, and the stiffness of each component
  /// (natural layout; typical where it has none).
  const SparseMatrix& stiffness();
  const Vector& component_stiffness() const { return stiffness_; }
  /// At rest in the frame; nullptr without rotation.
  RotatingFrame* frame() { return frame_ ? &*frame_ : nullptr; }
  const Vector& velocity() const { return frame_velocity_; }
  /// A force of the model at the iterate last evaluated, N.
  double typical_force() const { return force_[0]; }
  auto multipliers() const { return bilateral_multipliers(); }

 private:
  void add_forces() override;
  void add_force_tangents(double dq_rate, double v_rate) override;
  void add_reaction_magnitudes();
  void find_typical_forces();
  void set_proximal_diagonal();
  void update_weights();
  Vector typical_stiffness(const Vector& diagonal) const;

  std::optional<RotatingFrame> frame_;
  Vec3 angular_velocity_ = Vec3::Zero();
  double load_factor_ = 1.0;
  double proximal_ = 0.0;
  PerKind force_{};  ///< typical forces of each kind
  Vector frame_velocity_, a_;
  Vector magnitude_;  ///< sums of magnitudes of the forces on each component
  Vector stiffness_;
  Vector floor_;              ///< 1 / (tolerance and rounding level) of each unknown's row
  Vector level_diagonal_;     ///< that the rounding level of a solve is taken from
  Vector proximal_diagonal_;  ///< s D, from the forces at U = 0
};

}  // namespace picus::solvers
