#pragma once

/// The frictional contact problem of many contacts: y = b + W P with the law of augmented_law.hpp. Sweeps of Gauss-Seidel
/// with Anderson's acceleration, which the multipliers of the last step begin well; where they come to a halt, Newton iterations with a
/// proximal term; where these cycle too, the interior-point method and Newton's iteration from there; where that stalls among
/// jammed contacts, the interior points of convex problems, with the speeds of sliding as they are, and both iterations from there; at
/// last proximal points, which end near a solution where they do not reach it.

#include <picus/solvers/contact/contact_newton.hpp>
#include <picus/solvers/contact/contact_proximal.hpp>
#include <picus/solvers/contact/gauss_seidel.hpp>
#include <picus/solvers/contact/interior_point.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

struct ContactSolverReport {
  bool converged = false;
  int sweeps = 0;
  int newton_iterations = 0;
  int interior_point_iterations = 0;
  int proximal_iterations = 0;
  double residual = 0.0;  ///< of the law, weighted
};

struct ContactSolverOptions {
  double tolerance = 1.0;  ///< of the weighted residual
  /// After Newton iterations this counts as converged: what is nearer is not worth another method.
  double enough = 1.0;
  const Threads* threads = nullptr;  ///< share sweeps; null: there are none
};

class ContactSolver {
 public:
  /// Goes on from P to a solution, or as near as it gets. Cones are in the order of the contacts of W, with its rows. `weight`: 1 over
  /// the tolerance of each row of the equations of the law.
  ContactSolverReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                            const Vector& weight, Vector& P, const ContactSolverOptions& options = {});

 private:
  GaussSeidel sweeps_;
  ContactNewton newton_;
  ContactProximal proximal_;
  Vector best_;
  std::vector<double> slip_;
};

}  // namespace picus::solvers
