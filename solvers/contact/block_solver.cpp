#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// Up to this number of rows KLU is faster: three times with 360 rows of a heap of balls, as fast as UMFPACK with 700 to
/// 1200. Both pivot, so that the choice affects nothing but time.
constexpr Index most_rows_for_klu = 700;
/// Residuals of solutions by blocks, relative to the terms of their rows, from which they are refined once, and that need
/// pivots if they remain after this. Heaps of balls leave up to 1e-11. The first is that of rounding: where nothing below
/// the second is refined, sparse and dense interior points differ by more than a test allows.
constexpr double refined_residual = 1e-15;
constexpr double accurate_residual = 1e-10;

}  // namespace

void BlockSolver::analyze(const SparseMatrix& matrix, std::span<const Index> first_rows) {
  if (matrix.column_start == column_start_ && matrix.row == row_ &&
      std::ranges::equal(first_rows, first_rows_))
    return;
  column_start_ = matrix.column_start;
  row_ = matrix.row;
  first_rows_.assign(first_rows.begin(), first_rows.end());
  pivoting_.reset();
  has_blocks_ = !first_rows_.empty();
  if (has_blocks_) blocks_.analyze(matrix, first_rows_);
}

bool BlockSolver::factorize(const SparseMatrix& matrix) {
  matrix_ = &matrix;
  uses_blocks_ = has_blocks_ && blocks_.factorize(matrix);
  return uses_blocks_ || factorize_with_pivots();
}

bool BlockSolver::factorize_with_pivots() {
  if (!pivoting_) {
    if (matrix_->size <= most_rows_for_klu)
      pivoting_ = std::make_unique<KluSolver>(KluOrdering::symmetric);
    else
      pivoting_ = std::make_unique<UmfpackSolver>(0);
    pivoting_->analyze(*matrix_, 0);
  }
  ++pivoted_;
  return pivoting_->factorize(*matrix_);
}

void BlockSolver::solve_once(Vector& b) {
  if (uses_blocks_)
    blocks_.solve(b);
  else
    pivoting_->solve(std::span(b.data(), b.size()));
}

double BlockSolver::find_residual(const Vector& x) {
  residual_ = b_;
  terms_ = b_.cwiseAbs();
  for (Index column = 0; column < matrix_->size; ++column) {
    for (Index k = matrix_->column_start[column]; k < matrix_->column_start[column + 1]; ++k) {
      const double term = matrix_->values[k] * x[column];
      residual_[matrix_->row[k]] -= term;
      terms_[matrix_->row[k]] += std::abs(term);
    }
  }
  double worst = 0.0;
  for (Index i = 0; i < matrix_->size; ++i) {
    const double residual = std::abs(residual_[i]);
    if (!(residual <= worst * terms_[i]) && !std::isnan(worst)) worst = residual / terms_[i];
  }
  return worst;
}

void BlockSolver::solve(Vector& b) {
  b_ = b;
  solve_once(b);
  if (!uses_blocks_ || find_residual(b) <= refined_residual) return;
  solve_once(residual_);
  b += residual_;
  if (find_residual(b) <= accurate_residual) return;
  uses_blocks_ = false;
  b = b_;
  if (factorize_with_pivots())
    solve_once(b);
  else
    b.setConstant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace picus::solvers
