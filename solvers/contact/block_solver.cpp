#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <span>

namespace picus::solvers {
namespace {

/// Up to this number of rows KLU is faster: three times with 360 rows of a heap of balls, as fast as UMFPACK with 700 to
/// 1200. Both pivot, so that the choice affects nothing but time.
constexpr Index most_rows_for_klu = 700;

}  // namespace

void BlockSolver::analyze(const SparseMatrix& matrix) {
  if (solver_ && matrix.column_start == column_start_ && matrix.row == row_) return;
  column_start_ = matrix.column_start;
  row_ = matrix.row;
  if (matrix.size <= most_rows_for_klu)
    solver_ = std::make_unique<KluSolver>(KluOrdering::symmetric);
  else
    solver_ = std::make_unique<UmfpackSolver>(0);
  solver_->analyze(matrix, 0);
}

bool BlockSolver::factorize(const SparseMatrix& matrix) {
  matrix_ = &matrix;
  return solver_->factorize(matrix);
}

void BlockSolver::solve(Vector& b) {
  if (refinements_ > 0) b_ = b;
  solver_->solve(std::span(b.data(), b.size()));
  for (int i = 0; i < refinements_; ++i) {
    residual_ = b_;
    for (Index column = 0; column < matrix_->size; ++column) {
      for (Index k = matrix_->column_start[column]; k < matrix_->column_start[column + 1]; ++k)
        residual_[matrix_->row[k]] -= matrix_->values[k] * b[column];
    }
    solver_->solve(std::span(residual_.data(), residual_.size()));
    b += residual_;
  }
}

}  // namespace picus::solvers
