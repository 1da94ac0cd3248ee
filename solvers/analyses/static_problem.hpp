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
/// in the form of the other sub-problems. v = a = 0, or the steady rotation of a RotatingFrame. Loads are multiplied by
/// l, and g_T is measured from q_n. The unknowns are U with q = q_n o exp(dq_smooth + U), where dq_smooth contains the
/// increments of driven components, and the multipliers, which are forces, N and N m.
///
/// Residuals of momentum rows are relative to the sum of the magnitudes of the forces that they balance, and a
/// thousandth of the largest one; those of constraint rows to a thousandth of the size of the model; both times the
/// tolerance. A residual at rounding level that decreases no further also counts as solved (newton_options()).
///
/// With a proximal term s D U in the momentum rows, D a typical force over the size of the model, it is an
/// implicit step of the gradient flow (pseudo-transient continuation) instead, which moves components without stiffness
/// (yet) in the direction of decreasing energy.
class StaticProblem : public Stage {
 public:
  StaticProblem(StepData& data, const std::optional<Vec3>& angular_velocity);

  /// Computes the stiffness of the components and the effective stiffness of rows and contacts at data.q_n, and from
  /// them k and p.
  void measure_stiffness(LinearSolver& solver, double scaling, double regularization);
  /// Adds the fraction `share` of the stiffness of each component to the tangent, not to the equations: motions without
  /// stiffness, on which rounding errors act, keep their positions, and the convergence of others does not change.
  void restrain_free_motions(double share) { restraint_ = share; }
  /// Starts from U = 0 and the given multipliers; `proximal` is s, 0 for equilibrium.
  void begin(const Vector& lambda, const Vector& P, double load_factor, double proximal);

  /// Accepts the iterate: the rounding level of later solves is that of its stiffness. (Iterates that are not accepted,
  /// with enormous multipliers, would hide any residual.)
  void accept();

  /// The Newton options for equilibrium.
  static NewtonOptions newton_options(int max_iterations);
  /// Whether the iterate evaluated is an equilibrium up to the tolerance or rounding.
  static bool is_balanced(const ResidualNorm& norm) { return norm.worst <= 1.0 || norm.over_rounding <= 1.0; }

  /// Makes all closed contacts with friction stick; or deactivates all contacts.
  void hold_contacts();
  void release_contacts();

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;

  /// The pattern of tangent().
  const SparseMatrix& pattern() const { return frame_ ? frame_->matrix() : kkt_.matrix(); }
  /// A solver that has analysed the pattern.
  std::unique_ptr<LinearSolver> make_solver(LinearSolverKind kind) const;
  /// Has the solver analyse the pattern (again, which makes it choose its pivots anew).
  void analyze_with(LinearSolver& solver) const;
  /// The tangent without added terms at the iterate last evaluated, and the stiffness of each component (natural
  /// layout; a typical value for components without stiffness).
  const SparseMatrix& stiffness();
  /// The same where contacts with friction that touch stick: those of a body that nothing moves may be at their limit.
  const SparseMatrix& held_stiffness();
  /// The same where contacts that touch have no friction.
  const SparseMatrix& smooth_stiffness();
  const Vector& component_stiffness() const { return stiffness_; }
  /// The rotating frame; nullptr without rotation.
  RotatingFrame* frame() { return frame_ ? &*frame_ : nullptr; }
  const Vector& velocity() const { return frame_velocity_; }
  /// A typical force of the model at the iterate last evaluated, N.
  double typical_force() const { return force_[0]; }
  auto multipliers() const { return bilateral_multipliers(); }

 private:
  void add_forces() override;
  void add_force_tangents(double dq_rate, double v_rate) override;
  void add_reaction_magnitudes();
  void find_typical_forces();
  void close_touching_contacts();
  void set_typical_rigidity();
  void scale_contacts(double proximal);
  void update_weights();
  Vector typical_stiffness(const Vector& diagonal) const;

  std::optional<RotatingFrame> frame_;
  Vec3 angular_velocity_ = Vec3::Zero();
  double load_factor_ = 1.0;
  double proximal_ = 0.0;
  double restraint_ = 0.0;  ///< fraction of stiffness_ added to the tangent
  PerKind force_{};         ///< typical force of each kind
  Vector frame_velocity_, a_;
  Vector magnitude_;  ///< sum of the magnitudes of the forces on each component
  Vector stiffness_;
  Vector floor_;                 ///< 1 / (tolerance and rounding level) of each unknown's row
  Vector last_diagonal_;         ///< of the last tangent, without added terms
  Vector level_diagonal_;        ///< of the last one before an accepted iterate, for the rounding level
  bool is_linearised_ = false;   ///< there has been a tangent since begin()
  Vector rigidity_;              ///< D, from the forces at U = 0
  Vector contact_stiffness_;     ///< effective stiffness of each contact, measured
  Vector contact_softness_;      ///< buffer
  double regularization_ = 0.0;  ///< that of measure_stiffness()
};

}  // namespace picus::solvers
