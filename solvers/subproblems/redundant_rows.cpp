#include <picus/solvers/subproblems/redundant_rows.hpp>

#include <algorithm>

namespace picus {

bool RedundantRows::find(LinearSolver& solver, Index unknowns, Index first_unknown,
                         std::span<const Index> rows, const Vector& row_scale,
                         std::span<const Redundancy> at_start) {
  if (at_start.empty()) return false;
  const auto count = count_of(rows);
  basis_.setZero(count, count_of(at_start));
  work_.resize(unknowns);
  for (Index k = 0; k < count_of(at_start); ++k) {
    for (const auto& [row, y] : at_start[k].rows) {
      const auto place = std::ranges::find(rows, row);
      if (place != rows.end()) basis_(place - rows.begin(), k) = y / row_scale[row];
    }
  }
  constexpr int iterations = 2;
  for (int i = 0; i < iterations; ++i) {
    orthonormalize();
    for (Index k = 0; k < basis_.cols(); ++k) {
      work_.setZero();
      work_.segment(first_unknown, count) = basis_.col(k);
      solver.solve(std::span(work_.data(), unknowns));
      basis_.col(k) = work_.segment(first_unknown, count);
    }
  }
  orthonormalize();
  is_known_ = basis_.allFinite();
  return is_known_;
}

// Gram-Schmidt with reorthogonalisation.
void RedundantRows::orthonormalize() {
  for (Index k = 0; k < basis_.cols(); ++k) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index j = 0; j < k; ++j) basis_.col(k) -= basis_.col(j).dot(basis_.col(k)) * basis_.col(j);
    }
    const double size = basis_.col(k).norm();
    if (size > 0) basis_.col(k) /= size;
  }
}

void RedundantBorder::apply(LinearSolver& solver, std::span<const Part> parts, Vector& dx) {
  Index count = 0;
  for (const Part& part : parts) count += part.rows->count();
  if (response_.cols() != count || response_.rows() != dx.size()) {
    response_.resize(dx.size(), count);
    multiplier_.resize(count, count);
    tau_.resize(count);
    factors_ = Eigen::PartialPivLU<Eigen::MatrixXd>(count);
  }
  response_.setZero();
  Eigen::Index k = 0;
  for (const Part& part : parts) {
    const Eigen::MatrixXd& Y = part.rows->basis();
    for (Eigen::Index j = 0; j < Y.cols(); ++j)
      response_.col(k++).segment(part.first_unknown, Y.rows()) = Y.col(j);
  }
  solver.solve_all(std::span(response_.data(), response_.size()), count);
  Eigen::Index first = 0;
  for (const Part& part : parts) {
    const Eigen::MatrixXd& Y = part.rows->basis();
    const auto own = response_.middleRows(part.first_unknown, Y.rows());
    multiplier_.middleRows(first, Y.cols()).noalias() = Y.transpose() * own;
    tau_.segment(first, Y.cols()).noalias() =
        Y.transpose() * (part.multipliers + dx.segment(part.first_unknown, Y.rows()));
    first += Y.cols();
  }
  // The responses of redundancies that are exact are 1 / eps, those of others smaller by many orders.
  for (Index j = 0; j < count; ++j) {
    const double size = multiplier_.col(j).norm();
    if (size == 0) return;
    multiplier_.col(j) /= size;
    response_.col(j) /= size;
  }
  factors_.compute(multiplier_);
  tau_ = factors_.solve(tau_);
  if (tau_.allFinite()) dx.noalias() -= response_ * tau_;
}

void RedundantRows::remove(Eigen::Ref<Vector> r) const {
  for (Index k = 0; k < basis_.cols(); ++k) r -= basis_.col(k).dot(r) * basis_.col(k);
}

}  // namespace picus
