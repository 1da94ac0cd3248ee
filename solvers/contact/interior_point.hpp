#pragma once

/// The linear frictional contact problem by a primal-dual interior-point method.
///
/// With y = b + A P the conditions of Signorini and Coulomb are those of de Saxce: P in K, y + (mu |y_T|, 0) in K*,
/// one normal to the other, K = {|P_T| <= mu P_N}. In the scaled variables p = S^-1 P, z = S y + |z_T| e_N with
/// S = sqrt(k) diag(1/mu, 1, 1) both lie in the second-order cone L, and
///
///     z = Q p + c + |z_T| e_N,   p o z = 0,     Q = S A S,  c = S b.
///
/// Newton's method on p o z = tau e with tau -> 0, the directions of Nesterov and Todd and the predictor and corrector of
/// Mehrotra, |z_T| differentiated with the rest: the friction law is not replaced by an associated one. Where redundant
/// contacts leave P open the iterates go to the middle of the set of solutions, so that sticking and
/// sliding, open and closed contacts are told apart as well as they can be; semismooth Newton methods, which cycle
/// among such solutions, finish from there in a few iterations.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/types.hpp>

#include <span>

namespace picus::solvers {

struct InteriorPointOptions {
  int max_iterations = 80;
  /// What counts as converged: of the equations, and of the mean of p z, relative to |c| and |c|^2.
  double tolerance = 1e-8;
  /// The iteration goes on to this mean of p z if rounding lets it: where p and z both vanish, each is the root of it. The
  /// direction of a force that slides in two directions is known to the root of the rounding of p z only, 1e-8.
  double gap = 1e-20;
  /// Speeds |y_T| of contacts, in their order, where these are known well: they then stand for the unknown ones, the problem is convex, and
  /// the iterates do not stall. A solution with these very speeds solves the problem with friction (Acary, Cadoux, Lemarechal and
  /// Malick 2011, who iterate so).
  std::span<const double> slip = {};
};

struct InteriorPointReport {
  bool converged = false;
  int iterations = 0;
};

/// Solves for P, whose rows are those of the cones (A: compliance of the contact rows; k: effective masses, which
/// scale the problem). Disabled cones get P = 0, as do the friction rows of cones with mu = 0; normal rows without
/// compliance keep the P given. Without convergence, as where no solution exists, P is the best iterate.
InteriorPointReport solve_interior_point(std::span<const ContactCone> cones, const Eigen::MatrixXd& A,
                                         const Vector& b, Vector& P,
                                         const InteriorPointOptions& options = {});

/// The same by sparse factors; cones have their rows as W has them.
InteriorPointReport solve_interior_point(std::span<const ContactCone> cones, const DelassusOperator& W,
                                         const Vector& b, Vector& P,
                                         const InteriorPointOptions& options = {});

}  // namespace picus::solvers
