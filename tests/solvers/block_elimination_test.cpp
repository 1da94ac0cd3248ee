#include <picus/solvers/contact/block_elimination.hpp>
#include <picus/solvers/contact/block_matrix.hpp>
#include <picus/solvers/contact/block_solver.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <Eigen/QR>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace picus::block_elimination_test {

using solvers::BlockElimination;
using solvers::BlockMatrix;
using solvers::BlockSolver;
using solvers::DelassusOperator;

namespace {

using support::Random;

/// A matrix in blocks, and as a dense one.
struct Blocks {
  BlockMatrix sparse;
  Eigen::MatrixXd dense;
};

/// Makes both of the blocks of an operator, each from its value.
template <class Value>
Blocks make_blocks(const DelassusOperator& W, const Value& value_of) {
  Blocks result{{}, Eigen::MatrixXd::Zero(W.row_count(), W.row_count())};
  result.sparse.analyze(W);
  for (Index i = 0; i < W.contact_count(); ++i) {
    const auto blocks = W.blocks(i);
    for (Index k = 0; k < count_of(blocks); ++k) {
      const Index j = blocks[k].contact;
      const Eigen::MatrixXd value = value_of(i, j);
      result.sparse.set(W, i, k, value);
      result.dense.block(W.first_row(i), W.first_row(j), W.rows(i), W.rows(j)) = value;
    }
  }
  return result;
}

/// The pattern of contacts in a heap: each has some neighbours, most of them near to it in number.
DelassusOperator random_pattern(Random& random, const std::vector<Index>& rows, int neighbours) {
  const auto count = count_of(rows);
  std::vector<std::vector<Index>> others(rows.size());
  for (Index i = 0; i < count; ++i) {
    for (int n = 0; n < neighbours; ++n) {
      const Index near = i + 1 + static_cast<Index>(random.uniform(0, 1) * 10);
      const Index j = n > 0 ? near : static_cast<Index>(random.uniform(0, 1) * count);
      if (j >= count || j == i || std::ranges::count(others[i], j) > 0) continue;
      others[i].push_back(j);
      others[j].push_back(i);
    }
  }
  DelassusOperator W;
  for (Index i = 0; i < count; ++i) {
    W.add_contact(rows[i]);
    for (const Index j : others[i]) W.add_to(j, rows[j]);
  }
  return W;
}

std::vector<Index> random_rows(Random& random, std::size_t count) {
  std::vector<Index> rows(count);
  for (Index& n : rows) n = 1 + static_cast<Index>(random.uniform(0, 1) * 5.999);
  return rows;
}

/// Random values whose diagonal blocks dominate, as masses do, but are not diagonal.
Blocks random_blocks(Random& random, const DelassusOperator& W) {
  return make_blocks(W, [&](Index i, Index j) {
    Eigen::MatrixXd value = random.matrix(W.rows(i), W.rows(j));
    if (i != j) return value;
    const Eigen::MatrixXd own = value;
    value = 0.5 * own - 0.5 * own.transpose();
    value.diagonal().array() += 20.0;
    return value;
  });
}

void expect_solutions(Random& random, const std::vector<Index>& rows, const std::string& which) {
  const DelassusOperator W = random_pattern(random, rows, 4);
  BlockElimination elimination;
  for (int values = 0; values < 2; ++values) {
    const Blocks A = random_blocks(random, W);
    if (values == 0) elimination.analyze(A.sparse.matrix(), A.sparse.first_rows());
    ASSERT_TRUE(elimination.factorize(A.sparse.matrix())) << which;
    const Vector exact = random.vector(W.row_count());
    Vector x = A.dense * exact;
    elimination.solve(x);
    // Condition numbers are below 100.
    EXPECT_LE((x - exact).norm(), 1e-13 * exact.norm()) << which << ", " << W.row_count() << " rows";
  }
}

TEST(BlockElimination, SolvesForBlocksOfOneSizeOrOfSeveral) {
  Random random(51);
  for (const std::size_t count : {1, 2, 150}) {
    for (Index n = 1; n <= BlockElimination::max_rows; ++n)
      expect_solutions(random, std::vector<Index>(count, n), "rows of each: " + std::to_string(n));
    expect_solutions(random, random_rows(random, count), "rows of several numbers");
  }
}

TEST(BlockElimination, TakesAnotherPatternAfterTheFirst) {
  Random random(52);
  BlockElimination elimination;
  for (const std::size_t count : {40, 3, 60}) {
    const DelassusOperator W = random_pattern(random, random_rows(random, count), 3);
    const Blocks A = random_blocks(random, W);
    elimination.analyze(A.sparse.matrix(), A.sparse.first_rows());
    ASSERT_TRUE(elimination.factorize(A.sparse.matrix()));
    const Vector exact = random.vector(W.row_count());
    Vector x = A.dense * exact;
    elimination.solve(x);
    EXPECT_LE((x - exact).norm(), 1e-13 * exact.norm());
  }
}

/// The blocks that interior points add have eigenvalues over sixteen decades in directions of their own, as p and z of a
/// contact approach opposite sides of a cone. An elimination with pivots in the blocks leaves residuals of the order of
/// rounding all the same; products with inverses of the blocks leave several thousand times the bound.
TEST(BlockElimination, IsAccurateWithIllConditionedDiagonalBlocks) {
  Random random(55);
  for (const Index rows : {3, 5}) {
    const DelassusOperator W = random_pattern(random, std::vector<Index>(120, rows), 4);
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(W.row_count(), W.row_count());
    const Blocks A = make_blocks(W, [&](Index i, Index j) {
      Eigen::MatrixXd value =
          i > j ? Eigen::MatrixXd(motion.block(W.first_row(j), W.first_row(i), rows, rows).transpose())
                : Eigen::MatrixXd(0.05 * random.matrix(rows, rows));
      motion.block(W.first_row(i), W.first_row(j), rows, rows) = value;
      if (i != j) return value;
      const Eigen::MatrixXd directions =
          Eigen::HouseholderQR<Eigen::MatrixXd>(random.matrix(rows, rows)).householderQ();
      Vector sizes(rows);
      for (Index k = 0; k < rows; ++k) sizes[k] = std::pow(10.0, random.uniform(-8, 8));
      return Eigen::MatrixXd(Eigen::MatrixXd::Identity(rows, rows) +
                             directions * sizes.asDiagonal() * directions.transpose());
    });
    BlockElimination elimination;
    elimination.analyze(A.sparse.matrix(), A.sparse.first_rows());
    ASSERT_TRUE(elimination.factorize(A.sparse.matrix()));
    const Vector b = random.vector(W.row_count());
    Vector x = b;
    elimination.solve(x);
    const Vector terms = A.dense.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
    EXPECT_LE((A.dense * x - b).cwiseQuotient(terms).lpNorm<Eigen::Infinity>(), 1e-13) << rows;
  }
}

TEST(BlockElimination, RefusesSingularBlocksAndValuesThatAreNoNumbers) {
  Random random(53);
  for (const bool is_uniform : {true, false}) {
    const DelassusOperator W =
        random_pattern(random, is_uniform ? std::vector<Index>(30, 3) : random_rows(random, 30), 3);
    const Blocks A = random_blocks(random, W);
    BlockElimination elimination;
    elimination.analyze(A.sparse.matrix(), A.sparse.first_rows());
    SparseMatrix changed = A.sparse.matrix();
    changed.values[7] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(elimination.factorize(changed)) << is_uniform;
    changed = A.sparse.matrix();
    std::ranges::fill(changed.values, 0.0);
    EXPECT_FALSE(elimination.factorize(changed)) << is_uniform;
    EXPECT_TRUE(elimination.factorize(A.sparse.matrix())) << is_uniform;
  }
}

/// Without its diagonal blocks a matrix may be regular, but elimination by blocks loses all digits, or cannot begin.
TEST(BlockSolver, PivotsWhereDiagonalBlocksAreSmall) {
  Random random(54);
  for (const double diagonal : {1.0, 1e-16, 0.0}) {
    const DelassusOperator W = random_pattern(random, std::vector<Index>(40, 3), 4);
    const Blocks A = make_blocks(W, [&](Index i, Index j) {
      Eigen::MatrixXd value = random.matrix(3, 3);
      if (i == j) value = diagonal * (value + 20.0 * Eigen::Matrix3d::Identity());
      return value;
    });
    BlockSolver solver;
    solver.analyze(A.sparse.matrix(), A.sparse.first_rows());
    ASSERT_TRUE(solver.factorize(A.sparse.matrix())) << diagonal;
    for (int side = 0; side < 2; ++side) {
      const Vector exact = random.vector(W.row_count());
      Vector x = A.dense * exact;
      solver.solve(x);
      // Rounding times a condition number of up to 1e4.
      EXPECT_LE((x - exact).norm(), 1e-11 * exact.norm()) << diagonal;
    }
    EXPECT_EQ(solver.pivoted(), diagonal == 1.0 ? 0 : 1) << diagonal;
  }
}

TEST(BlockSolver, ReturnsNoNumbersForSingularMatrices) {
  DelassusOperator W;
  for (Index i = 0; i < 2; ++i) {
    W.add_contact(3);
    W.add_to(1 - i, 3);
  }
  const Blocks A = make_blocks(W, [](Index, Index) { return Eigen::MatrixXd::Ones(3, 3); });
  BlockSolver solver;
  solver.analyze(A.sparse.matrix(), A.sparse.first_rows());
  EXPECT_FALSE(solver.factorize(A.sparse.matrix()));
}

}  // namespace
}  // namespace picus::block_elimination_test
