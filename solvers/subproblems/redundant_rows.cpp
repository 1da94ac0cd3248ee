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
  for (std::size_t k = 0; k < at_start.size(); ++k) {
    for (const auto& [row, y] : at_start[k].rows) {
      const auto place = std::ranges::find(rows, row);
      if (place != rows.end()) basis_(place - rows.begin(), static_cast<Index>(k)) = y / row_scale[row];
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

void RedundantRows::remove(Eigen::Ref<Vector> r) const {
  for (Index k = 0; k < basis_.cols(); ++k) r -= basis_.col(k).dot(r) * basis_.col(k);
}

}  // namespace picus
