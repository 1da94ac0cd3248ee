#pragma once

/// The shift-and-invert operator of a ModalProblem with further linear equations B [x; y] = p and further unknowns y:
///
///     [ K - s M   -G^T   k B_x^T ] [ x   ]   [ f   ]
///     [ -G          0            ] [ mu  ]   [ 0   ]
///     [                  k B_y^T ] [ y   ] = [ f_y ]
///     [ k B_x          k B_y     ] [ tau ]   [ k p ]

#include <picus/solvers/analyses/modal_problem.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace picus::solvers {

/// One equation: coefficients of unknowns. Those of x come first, in the order of the free components, then those of y.
using BorderRow = std::vector<std::pair<Index, double>>;

class BorderedStiffness {
 public:
  /// `problem` must outlive it. Throws SolverError when the matrix is singular at the shift.
  BorderedStiffness(const ModalProblem& problem, Index further, const std::vector<BorderRow>& rows,
                    double shift);

  Index row_count() const { return rows_; }
  /// x for the forces f on x and f_y on y, and the right-hand side p; empty vectors are zero.
  Vector solve(const Vector& f, const Vector& f_y, const Vector& p);
  /// y of the last solution.
  Vector further() const { return solution_.segment(first_further_, further_); }

 private:
  const ModalProblem* problem_;
  Index further_, rows_, first_further_;
  double scale_;
  SparseMatrix matrix_;
  std::unique_ptr<LinearSolver> solver_;
  Vector proximal_;
  Vector solution_;
};

}  // namespace picus::solvers
