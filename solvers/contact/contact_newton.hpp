#pragma once

/// Semismooth Newton iterations for the problem of contacts alone, on the equations of augmented_law.hpp with y = b + W P,
///
///     (D W + E/k - epsilon I) dP = -r.
///
/// The proximal term epsilon follows the success of the iteration: a large one keeps it from cycling among the many
/// multipliers that redundant contacts admit, a small one makes it fast once their states are settled.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/solvers/linear/linear_solver.hpp>

#include <memory>
#include <span>
#include <vector>

namespace picus::solvers {

struct ContactNewtonOptions {
  int max_iterations = 20;
  double tolerance = 1.0;  ///< of the weighted residual
};

struct ContactNewtonReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0.0;  ///< of P, weighted
};

/// The largest weighted residual of the law, and the sum of squares.
struct WeightedResidual {
  double worst = 0.0;
  double square = 0.0;
};
/// At P, with y = b + W P and the residual r, which are written.
WeightedResidual weighted_residual(std::span<const ContactCone> cones, const DelassusOperator& W,
                                   const Vector& b, const Vector& weight, const Vector& P, Vector& y,
                                   Vector& r);

class ContactNewton {
 public:
  /// Goes on from P, to the best iterate; cones in the order of the contacts of W, their first_row is not used. `weight`: 1 over the
  /// tolerance of each row of the equations.
  ContactNewtonReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                            const Vector& weight, Vector& P, const ContactNewtonOptions& options = {});

 private:
  void assemble(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& P,
                double epsilon);

  /// Orders the matrix, unless its pattern is the last one.
  void order();

  BlockMatrix matrix_;
  std::vector<Index> column_start_, row_;  ///< the pattern that the solver has ordered
  std::unique_ptr<LinearSolver> solver_;
  Vector y_, r_, step_, best_;
};

}  // namespace picus::solvers
