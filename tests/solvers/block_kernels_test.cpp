#include <picus/solvers/contact/block_kernels.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace picus::block_kernels_test {

using solvers::block_kernels;
using solvers::BlockEntry;
using solvers::BlockKernels;
using solvers::padded_rows;
using solvers::padded_values;
using solvers::plain_block_kernels;

namespace {

using support::Random;

using Padded = Eigen::Map<Mat3, 0, Eigen::OuterStride<int{padded_rows}>>;

/// Blocks of three rows, and padding that is not zero.
std::vector<double> random_blocks(Random& random, Index count) {
  const Vector values = random.vector(count * padded_values);
  return {values.begin(), values.end()};
}
Padded block(std::vector<double>& values, Index first) {
  return Padded(values.data() + first);
}

constexpr double rounding = 1e-15;  // of sums of three products below one

void check_products(const BlockKernels& kernels) {
  Random random(11);
  std::vector<double> factors = random_blocks(random, 5), column = random_blocks(random, 9),
                      right = random_blocks(random, 1);
  const std::vector<BlockEntry> entries = {{0, 4 * padded_values}, {3, 0}, {8, 2 * padded_values}};
  std::vector<double> expected = column;
  for (const BlockEntry& entry : entries) {
    block(expected, entry.position * padded_values) -=
        Mat3(block(factors, entry.first)) * Mat3(block(right, 0));
  }
  kernels.subtract_products(entries, factors.data(), right.data(), column.data());
  for (Index i = 0; i < 9; ++i) {
    const Mat3 difference = block(column, i * padded_values) - block(expected, i * padded_values);
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), rounding) << i;
  }
}

void check_vectors(const BlockKernels& kernels) {
  Random random(13);
  std::vector<double> factors = random_blocks(random, 4);
  const Vector x = random.vector(3), before = random.vector(6 * padded_rows);
  const std::vector<BlockEntry> entries = {{1, 3 * padded_values}, {5, padded_values}};
  Vector expected = before;
  for (const BlockEntry& entry : entries)
    expected.segment<3>(entry.position * padded_rows) -= Mat3(block(factors, entry.first)) * Vec3(x);
  Vector found = before;
  kernels.subtract_vectors(entries, factors.data(), x.data(), found.data());
  for (Index i = 0; i < 6; ++i) {
    const Vec3 difference = found.segment<3>(i * padded_rows) - expected.segment<3>(i * padded_rows);
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), rounding) << i;
  }
}

}  // namespace

TEST(BlockKernels, SubtractTheProductsOfAColumn) {
  check_products(plain_block_kernels());
  check_products(block_kernels());
}

TEST(BlockKernels, SubtractTheVectorsOfAColumn) {
  check_vectors(plain_block_kernels());
  check_vectors(block_kernels());
}

}  // namespace picus::block_kernels_test
