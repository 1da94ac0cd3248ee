#include <picus/error.hpp>
#include <picus/solvers/analyses/bordered_stiffness.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::solvers {

BorderedStiffness::BorderedStiffness(const ModalProblem& problem, Index further,
                                     const std::vector<BorderRow>& rows, double shift)
    : problem_(&problem), further_(further), rows_(count_of(rows)), first_further_(problem.stiffness().size) {
  const SparseMatrix& K = problem.stiffness();
  const Index n = problem.size(), size = K.size + further + rows_;
  // Equations of the magnitude of a typical stiffness allow the solver to find good pivots.
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += std::abs(K.values[K.find(i, i)]);
  scale_ = sum > 0 ? sum / n : 1.0;

  const auto unknown = [&](Index i) { return i < n ? i : first_further_ + i - n; };
  PatternBuilder pattern(size);
  for (Index c = 0; c < K.size; ++c) {
    for (Index k = K.column_start[c]; k < K.column_start[c + 1]; ++k) pattern.add(K.row[k], c);
  }
  for (Index r = 0; r < rows_; ++r) {
    for (const auto& [i, value] : rows[r]) {
      pattern.add(size - rows_ + r, unknown(i));
      pattern.add(unknown(i), size - rows_ + r);
    }
  }
  matrix_ = pattern.compress();
  for (Index c = 0; c < K.size; ++c) {
    for (Index k = K.column_start[c]; k < K.column_start[c + 1]; ++k)
      matrix_.values[matrix_.find(K.row[k], c)] += K.values[k];
  }
  for (const auto& [row, column, target, value] : problem.mass_entries())
    matrix_.values[matrix_.find(row, column)] -= shift * value;
  for (Index r = 0; r < rows_; ++r) {
    for (const auto& [i, value] : rows[r]) {
      matrix_.values[matrix_.find(size - rows_ + r, unknown(i))] += scale_ * value;
      matrix_.values[matrix_.find(unknown(i), size - rows_ + r)] += scale_ * value;
    }
  }
  proximal_ = Vector::Zero(size);
  proximal_.head(K.size) = problem.proximal();
  solver_ = make_linear_solver(LinearSolverKind::automatic, matrix_);
  solver_->analyze(matrix_);
  if (!solver_->factorize(matrix_)) {
    throw SolverError(
        "the stiffness of the part is singular: a part of it is free to move, or the equations of interfaces "
        "contradict or "
        "repeat its own");
  }
}

Vector BorderedStiffness::solve(const Vector& f, const Vector& f_y, const Vector& p) {
  const Index n = problem_->size();
  Vector b = Vector::Zero(matrix_.size);
  if (f.size() > 0) b.head(n) = f;
  if (f_y.size() > 0) b.segment(first_further_, further_) = f_y;
  if (p.size() > 0) b.tail(rows_) = scale_ * p;
  solution_ = b;
  solver_->solve(std::span(solution_.data(), solution_.size()));
  // One step of residual correction removes the effect of the proximal terms, which are not part of the problem.
  Vector r = b + proximal_.cwiseProduct(solution_);
  for (Index c = 0; c < matrix_.size; ++c) {
    for (Index k = matrix_.column_start[c]; k < matrix_.column_start[c + 1]; ++k)
      r[matrix_.row[k]] -= matrix_.values[k] * solution_[c];
  }
  solver_->solve(std::span(r.data(), r.size()));
  solution_ += r;
  return solution_.head(n);
}

}  // namespace picus::solvers
