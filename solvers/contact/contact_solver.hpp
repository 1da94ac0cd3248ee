#pragma once

/// The frictional contact problem of many contacts: y = b + W P with the law of augmented_law.hpp. Sweeps of Gauss-Seidel
/// with Anderson's acceleration, which the multipliers of the last step begin well; where they come to a halt, Newton iterations with a
/// proximal term; where these cycle too, the interior-point method and Newton's iteration from there.

#include <picus/solvers/contact/contact_newton.hpp>
#include <picus/solvers/contact/gauss_seidel.hpp>
#include <picus/solvers/contact/interior_point.hpp>

#include <span>

namespace picus::solvers {

struct ContactSolverReport {
  bool converged = false;
  int sweeps = 0;
  int newton_iterations = 0;
  int interior_point_iterations = 0;
  double residual = 0.0;  ///< of the law, weighted
};

class ContactSolver {
 public:
  /// Goes on from P to a weighted residual of the law of at most `tolerance`, or as near as it gets; after Newton iterations one of `enough`
  /// at most counts as converged, and what is nearer is not worth another method. Cones are in the order of the
  /// contacts of W, with its rows. `weight`: 1 over the tolerance of each row of the equations of the law.
  ContactSolverReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                            const Vector& weight, Vector& P, double tolerance, double enough);

 private:
  GaussSeidel sweeps_;
  ContactNewton newton_;
  Vector start_;
};

}  // namespace picus::solvers
