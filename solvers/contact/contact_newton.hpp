#pragma once

/// Semismooth Newton method for the contact problem alone: the equations of augmented_law.hpp with y = b + W P,
///
///     (D W + E/k - epsilon I) dP = -r.
///
/// The proximal term epsilon is adapted to the success of the iteration: a large one prevents cycling among the
/// non-unique multipliers of redundant contacts, a small one gives fast convergence once the contact states no longer
/// change.

#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/contact/delassus_problem.hpp>

#include <span>

namespace picus::solvers {

struct ContactNewtonOptions {
  int max_iterations = 20;
  double tolerance = 1.0;  ///< of the weighted residual
  /// The iteration ends after this number of iterations in which the smallest residual has not halved. A step of a jammed
  /// heap of 1000 balls takes 70 iterations with it, 100 without; with 8, solves for 400 balls end that would converge.
  int patience = 10;
  double first_epsilon = 1e-3;  ///< the proximal term of the first iteration, relative to effective masses
};

struct ContactNewtonReport {
  bool converged = false;
  int iterations = 0;
  double residual = 0.0;  ///< weighted residual at P
};

class ContactNewton {
 public:
  /// Iterates from P and returns the best iterate in P.
  ContactNewtonReport solve(const DelassusProblem& problem, Vector& P,
                            const ContactNewtonOptions& options = {});

 private:
  void assemble(const DelassusProblem& problem, const Vector& P, double epsilon);

  BlockMatrix matrix_;
  BlockSolver solver_;
  Vector y_, r_, step_, best_;
};

}  // namespace picus::solvers
