#pragma once

/// The linear frictional contact problem by a primal-dual interior-point method.
///
/// With y = b + A P the conditions of Signorini and Coulomb in the form of de Saxce are P in K, y + (mu |y_T|, 0) in
/// K*, both orthogonal to each other, K = {|P_T| <= mu P_N}. The scaled variables p = S^-1 P and z = S y + |z_T| e_N
/// with S = sqrt(k) diag(1/mu, 1, 1) both lie in the second-order cone L, and
///
///     z = Q p + c + |z_T| e_N,   p o z = 0,     Q = S A S,  c = S b.
///
/// Rolling friction |P_R| <= mu P_N has a cone of its own with the same P_N, and the motion splits: K is the intersection
/// of both cones, K* the sum of their duals, y_N + mu |y_T| + mu |y_R| the sum of two normal components, each of which
/// belongs to one of the cones. Newton's method eliminates the split.
///
/// Newton's method for p o z = tau e with tau -> 0, Nesterov-Todd directions and Mehrotra's predictor-corrector, where
/// |z_T| is also differentiated: the friction law is not replaced by an associated one. Where redundant contacts leave
/// P non-unique, the iterates converge to the interior of the solution set, which distinguishes sticking from sliding
/// and open from closed contacts as well as possible; semismooth Newton methods, which may cycle among such solutions,
/// converge from there in a few iterations.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/types.hpp>

#include <span>

namespace picus::solvers {

struct InteriorPointOptions {
  int max_iterations = 80;
  /// Convergence tolerance of the equations relative to |c|, and of the mean of p z relative to |c|^2.
  double tolerance = 1e-8;
  /// The iteration continues to this mean of p z as far as rounding permits: where p and z both vanish, each is of the
  /// order of its square root. The direction of a friction force in two sliding directions is accurate only to the
  /// square root of the rounding error of p z, 1e-8.
  double gap = 1e-20;
  /// Normal forces p of the initial point, relative to |c|. Where friction couples jammed contacts the path may turn
  /// back before it reaches a solution; another initial point leads along another path.
  double first_force = 1.0;
};

struct InteriorPointReport {
  bool converged = false;
  int iterations = 0;
};

/// Solves for P, whose rows are those of the cones (A: compliance of the contact rows; k: effective masses, which scale
/// the problem). Cones that are not candidates get P = 0, as do the friction rows of cones with mu = 0; normal rows
/// without compliance keep the given P. Without convergence, e.g. if no solution exists, P is the best iterate.
InteriorPointReport solve_interior_point(std::span<const ContactCone> cones, const Eigen::MatrixXd& A,
                                         const Vector& b, Vector& P,
                                         const InteriorPointOptions& options = {});

/// The same with sparse factorisations, whose order of elimination is kept for as long as the same contacts couple.
class InteriorPointSolver {
 public:
  /// The rows of the cones are those of W.
  InteriorPointReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                            Vector& P, const InteriorPointOptions& options = {});

 private:
  template <int Size>
  InteriorPointReport solve_cones(std::span<const ContactCone> cones, const DelassusOperator& W,
                                  const Vector& b, Vector& P, const InteriorPointOptions& options);

  DelassusOperator Q_;
  BlockMatrix H_;
  BlockSolver solver_;
};

}  // namespace picus::solvers
