// Sweeps over the rows of a sparse matrix compared with dense algebra.

#include <picus/solvers/linear/sweep_rows.hpp>
#include <support/dense.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::sweep_rows_test {

using solvers::SweepRows;

namespace {

constexpr Index size = 40;

/// Runs of one to ten columns about the diagonal and elsewhere; the diagonal dominates.
Eigen::MatrixXd make_matrix(support::Random& random, double magnitude) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (Index r = 0; r < size; ++r) {
    for (Index first = r % 3; first < size; first += 7 + r % 5) {
      const Index count = std::min<Index>(1 + (r + first) % 10, size - first);
      A.row(r).segment(first, count) = random.vector(count).transpose() / size;
    }
    A(r, r) = random.uniform(1, 2);
  }
  return magnitude * A;
}

class SweepRowsTest : public testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(SweepRowsTest, AgreesWithDenseAlgebra) {
  const auto [accuracy, magnitude] = GetParam();
  support::Random random(3);
  Eigen::MatrixXd A = make_matrix(random, magnitude);
  SparseMatrix columns = support::sparse(A.transpose(), true);
  std::vector<Index> diagonal;
  for (Index r = 0; r < size; ++r) diagonal.push_back(columns.find(r, r));
  SweepRows rows;
  rows.build(columns, diagonal, accuracy);
  rows.assign(columns, nullptr);
  // A few sums of 40 terms; single precision rounds each value once.
  const double epsilon = accuracy < 1e-4 ? std::numeric_limits<double>::epsilon()
                                         : static_cast<double>(std::numeric_limits<float>::epsilon());
  const auto expect_agreement = [&] {
    const Vector b = random.vector(size);
    Vector x = b;
    rows.solve_lower(0, size / 2, x.data());
    rows.solve_lower(size / 2, size, x.data());
    const Vector lower = A.triangularView<Eigen::Lower>().solve(b);
    EXPECT_LE((x - lower).norm(), 10 * epsilon * lower.norm());
    x = b;
    rows.solve_upper(size / 2, size, x.data());
    rows.solve_upper(0, size / 2, x.data());
    const Vector upper = A.triangularView<Eigen::Upper>().solve(b);
    EXPECT_LE((x - upper).norm(), 10 * epsilon * upper.norm());
    rows.multiply(b.data(), x.data(), nullptr);
    EXPECT_LE((x - A * b).norm(), 10 * epsilon * (A * b).norm());
  };
  expect_agreement();
  // Two rows are replaced.
  for (const Index row : {Index{5}, Index{17}}) {
    A.row(row) *= 3.0;
    for (Index k = columns.column_start[row]; k < columns.column_start[row + 1]; ++k)
      columns.values[k] *= 3.0;
  }
  const std::vector<Index> changed = {5, 17};
  rows.assign(columns, changed);
  expect_agreement();
}

// Magnitudes beyond the range of single precision are a matter of units only.
INSTANTIATE_TEST_SUITE_P(PrecisionsAndUnits, SweepRowsTest,
                         testing::Combine(testing::Values(1e-3, 1e-10), testing::Values(1.0, 1e-60, 1e60)));

}  // namespace
}  // namespace picus::sweep_rows_test
