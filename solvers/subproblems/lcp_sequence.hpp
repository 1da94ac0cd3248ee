#pragma once

#include <picus/solvers/contact/lemke.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// Contact problems without friction by a sequence of linear complementarity problems (Chen and others 2013, section 4.2
/// and algorithm 1): in each iteration all equations are linearised and condensed to the normals of the enabled
/// contacts, A P + b >= 0, P >= 0, A P + b perpendicular to P; Lemke's method finds their multipliers, and all other
/// unknowns follow. Far from the solution A may be negative (a stiff beam whose start is poor) and the problem without
/// solution: then the multipliers stay as they are in that iteration. Each iteration takes a factorisation, two solves and
/// one more for each contact. Solving allocates nothing.
class LcpSequence {
 public:
  explicit LcpSequence(const Subproblem& problem);

  struct Report {
    NewtonReport newton;
    LemkeStatus lcp = LemkeStatus::solved;  ///< of the last iteration
  };
  /// From the current iterate; a residual of at most `good_start` there needs no iteration.
  Report solve(Subproblem& problem, LinearSolver& solver, int max_iterations, double good_start,
               NewtonWorkspace& work);

 private:
  /// Contacts are scaled by the root of their mass, which makes the matrix one of numbers of order 1.
  struct Normal {
    Index row;
    double scale;
  };
  void list_normals(const Subproblem& problem);
  void condense(Subproblem& problem, LinearSolver& solver, NewtonWorkspace& work);

  Lemke lemke_;
  std::vector<Normal> normals_;
  Eigen::MatrixXd A_;
  Vector b_, x_, response_;
};

}  // namespace picus
