#pragma once

#include <picus/solvers/contact/lemke.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// Solver for frictionless contact problems by a sequence of linear complementarity problems (Chen and others 2013,
/// section 4.2 and algorithm 1): in each iteration all equations are linearised and condensed to the normal rows of the
/// candidate contacts, A P + b >= 0, P >= 0, A P + b perpendicular to P; Lemke's method computes their multipliers, and
/// all other unknowns follow. Redundant constraints are excluded as in Newton's method (RedundantRows). Far from the
/// solution A may not be positive semidefinite (a stiff beam with a poor start), and the problem may have no solution:
/// then the multipliers are unchanged in that iteration. Each iteration takes one factorisation, two solves and one more
/// for each contact. Solving allocates nothing.
class LcpSequence {
 public:
  explicit LcpSequence(const Subproblem& problem);

  struct Report {
    NewtonReport newton;
    LemkeStatus lcp = LemkeStatus::solved;  ///< of the last iteration
  };
  /// Starts from the better one of the guesses; of the options, those of guesses and max_iterations have a meaning here.
  Report solve(Subproblem& problem, LinearSolver& solver, const NewtonOptions& options,
               NewtonWorkspace& work);

 private:
  /// Contacts are scaled by the square root of their mass, which gives matrix entries of order 1.
  struct Normal {
    Index row;
    double scale;
  };
  void list_normals(const Subproblem& problem);
  void condense(Subproblem& problem, LinearSolver& solver, NewtonWorkspace& work);
  /// x becomes the solution of the linearised equations without the excluded rows.
  void solve_linear(Subproblem& problem, LinearSolver& solver, Vector& x) const;

  Lemke lemke_;
  std::vector<Normal> normals_;
  Eigen::MatrixXd A_;
  Vector b_, x_, response_;
  Vector offset_;  ///< response where the right-hand side is 0, from multipliers along redundancies
  bool excludes_rows_ = false;  ///< NonlinearProblem::exclude_unreachable_residual
};

}  // namespace picus
