#pragma once

/// Semismooth Newton method for the contact problem alone: the equations of augmented_law.hpp with y = b + W P,
///
///     (D W + E/k - epsilon I) dP = -r.
///
/// The proximal term epsilon is adapted to the success of the iteration: a large one prevents cycling among the
/// non-unique multipliers of redundant contacts, a small one gives fast convergence once the contact states no longer
/// change.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>

#include <span>

namespace picus::solvers {

struct ContactNewtonOptions {
  int max_iterations = 20;
  double tolerance = 1.0;       ///< of the weighted residual
  double first_epsilon = 1e-3;  ///< the proximal term of the first iteration, relative to effective masses
};

struct ContactNewtonReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0.0;  ///< weighted residual at P
};

/// Largest weighted residual of the contact law, and the sum of squares.
struct WeightedResidual {
  double worst = 0.0;
  double square = 0.0;
};
/// Evaluates it at P; writes y = b + W P and the residual r.
WeightedResidual weighted_residual(std::span<const ContactCone> cones, const DelassusOperator& W,
                                   const Vector& b, const Vector& weight, const Vector& P, Vector& y,
                                   Vector& r);

class ContactNewton {
 public:
  /// Iterates from P and returns the best iterate in P; cones in the order of the contacts of W, their first_row is not
  /// used. `weight`: reciprocal tolerance of each row of the equations.
  ContactNewtonReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                            const Vector& weight, Vector& P, const ContactNewtonOptions& options = {});

 private:
  void assemble(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& P,
                double epsilon);

  BlockMatrix matrix_;
  BlockSolver solver_;
  Vector y_, r_, step_, best_;
};

}  // namespace picus::solvers
