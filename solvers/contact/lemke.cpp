#include <picus/solvers/contact/lemke.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus {
namespace {

/// An entry below this fraction of the largest in its column is zero with rounding error.
constexpr double zero_pivot = 1e-11;
/// Ratios whose relative difference is smaller are tied.
constexpr double tie = 1e-12;
/// No entry of w is below minus the covering variable: the problem is solved if this is so small relative to the
/// largest entry of b.
constexpr double covered = 1e-10;
/// Limit of pivots per unknown, far above the two or three needed for compliance matrices.
constexpr int pivots_each = 50;

constexpr Index first_w = 1;

}  // namespace

Lemke::Lemke(Index size) : tableau_(size, 2 * size + 2), basis_(size) {}

Index Lemke::leaving_row(Index n, Index entering) const {
  const auto column = tableau_.col(entering).head(n);
  const double threshold = zero_pivot * column.cwiseAbs().maxCoeff();
  const Index cover = 2 * n + 1;
  Index best = -1;
  for (Index i = 0; i < n; ++i) {
    if (!(column[i] > threshold)) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    // Rows (b, transformed unit matrix) divided by the pivot, compared lexicographically.
    for (Index j = 0; j <= n; ++j) {
      const double mine = tableau_(i, j) / column[i];
      const double other = tableau_(best, j) / column[best];
      // Among ties in b the covering variable leaves the basis, which solves the problem.
      if (j == first_w && basis_[best] == cover) break;
      if (j == first_w && basis_[i] == cover) {
        best = i;
        break;
      }
      if (std::abs(mine - other) <= tie * (1.0 + std::abs(mine) + std::abs(other))) continue;
      if (mine < other) best = i;
      break;
    }
  }
  return best;
}

void Lemke::pivot(Index n, Index row, Index entering) {
  const Index columns = 2 * n + 2;
  tableau_.row(row).head(columns) /= tableau_(row, entering);
  for (Index i = 0; i < n; ++i) {
    const double factor = tableau_(i, entering);
    if (i == row || factor == 0) continue;
    tableau_.row(i).head(columns) -= factor * tableau_.row(row).head(columns);
    tableau_(i, entering) = 0.0;
  }
  basis_[row] = entering;
}

LemkeReport Lemke::solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Vector>& b,
                         Eigen::Ref<Vector> z) {
  const auto n = count_of(b);
  const Index first_z = first_w + n;
  const Index cover = first_z + n;
  LemkeReport report;
  Index lowest = 0;
  if (n == 0 || b.minCoeff(&lowest) >= 0) {
    z.setZero();
    return report;
  }
  // w - A z - 1 z_0 = b, divided by its largest entry, so that one tolerance applies to all ties.
  const double unit = b.cwiseAbs().maxCoeff();
  tableau_.block(0, 0, n, cover + 1).setZero();
  tableau_.col(0).head(n) = b / unit;
  tableau_.block(0, first_w, n, n).setIdentity();
  tableau_.block(0, first_z, n, n) = -A;
  tableau_.col(cover).head(n).setConstant(-1.0);
  for (Index i = 0; i < n; ++i) basis_[i] = first_w + i;

  // The covering variable enters where b is lowest (the last of equal ones is lexicographically the lowest row).
  for (Index i = 0; i < n; ++i) {
    if (b[i] <= b[lowest]) lowest = i;
  }
  Index leaving = basis_[lowest];
  pivot(n, lowest, cover);
  ++report.pivots;
  const Index cover_row = lowest;
  while (leaving != cover && tableau_(cover_row, 0) > covered) {
    const Index entering = leaving < first_z ? leaving + n : leaving - n;
    const Index row = leaving_row(n, entering);
    if (row < 0) {
      report.status = LemkeStatus::ray;
      return report;
    }
    if (report.pivots > pivots_each * (n + 1)) {
      report.status = LemkeStatus::stuck;
      return report;
    }
    leaving = basis_[row];
    pivot(n, row, entering);
    ++report.pivots;
  }
  z.setZero();
  for (Index i = 0; i < n; ++i) {
    const Index variable = basis_[i];
    // Rounding may make a basic variable that is zero slightly negative.
    if (variable >= first_z && variable < cover) z[variable - first_z] = std::max(0.0, unit * tableau_(i, 0));
  }
  return report;
}

}  // namespace picus
