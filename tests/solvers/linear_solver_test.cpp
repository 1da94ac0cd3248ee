#include <picus/error.hpp>
#include <picus/solvers/contact/block_solver.hpp>
#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>
#include <support/dense.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus::linear_solver_test {

using solvers::BlockSolver;
using solvers::KluSolver;
using solvers::UmfpackSolver;

namespace {

using support::Random;
using support::sparse;

/// A sparse matrix with few entries per column, regular with near certainty: a permutation plus noise.
Eigen::MatrixXd random_unsymmetric(Random& random, Index size) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (Index c = 0; c < size; ++c) {
    A((c * 7 + 3) % size, c) = 2 + random.uniform(0, 1);
    for (int k = 0; k < 3; ++k) A(static_cast<Index>(random.uniform(0, size)), c) += random.uniform(-1, 1);
  }
  return A;
}

/// [M -G^T; -G -epsilon I] with a positive definite M and full G.
Eigen::MatrixXd random_kkt(Random& random, Index free, Index rows, double epsilon) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(free + rows, free + rows);
  for (Index i = 0; i < free; ++i) {
    A(i, i) = random.uniform(4, 6);
    if (i > 0) A(i, i - 1) = A(i - 1, i) = random.uniform(-1, 1);
  }
  for (Index j = 0; j < rows; ++j) {
    for (const Index i : {2 * j, 2 * j + 1, (5 * j + 1) % free}) {
      A(free + j, i) = random.uniform(0.5, 1.5);
      A(i, free + j) = A(free + j, i);
    }
    A(free + j, free + j) = -epsilon;
  }
  return A;
}

Vector solve(LinearSolver& solver, const Vector& b) {
  Vector x = b;
  solver.solve(std::span(x.data(), x.size()));
  return x;
}

/// The backward error |A x - b|/(|A| |x|), which does not depend on the condition number of A.
void expect_solution_of(LinearSolver& solver, const Eigen::MatrixXd& A, Random& random, double tolerance) {
  const Vector b = random.vector(A.rows());
  const Vector x = solve(solver, b);
  const double norm = A.cwiseAbs().rowwise().sum().maxCoeff();
  EXPECT_LE((A * x - b).lpNorm<Eigen::Infinity>(), tolerance * norm * x.lpNorm<Eigen::Infinity>());
  // And by another method, as far as the condition number allows: here it is at most 1e4.
  const Vector expected = A.partialPivLu().solve(b);
  EXPECT_LE((x - expected).norm(), 1e4 * tolerance * expected.norm());
}

/// KLU takes pivots up to a thousand times smaller than the largest entry of their column, several of them in
/// a row if need be. Measured: 1.2e-12.
constexpr double fresh = 1e-11;
/// Kept pivots are given up when they cost half of the digits; small changes cost a few. Measured: 2.4e-12.
constexpr double kept = 1e-10;

class LinearSolverTest : public testing::TestWithParam<LinearSolverKind> {
 protected:
  std::unique_ptr<LinearSolver> make(const SparseMatrix& pattern, Index trailing = 0) {
    auto solver = make_linear_solver(GetParam(), pattern);
    solver->analyze(pattern, trailing);
    return solver;
  }
  Random random{31};
};

TEST_P(LinearSolverTest, SolvesUnsymmetricSystems) {
  for (const Index size : {1, 2, 7, 40, 150}) {
    const Eigen::MatrixXd A = random_unsymmetric(random, size);
    const SparseMatrix matrix = sparse(A);
    const auto solver = make(matrix);
    ASSERT_TRUE(solver->factorize(matrix));
    expect_solution_of(*solver, A, random, fresh);
  }
}

TEST_P(LinearSolverTest, SolvesKktSystemsWithAndWithoutTrailingUnknowns) {
  for (const double epsilon : {1.0, 1e-8, 0.0}) {
    for (const Index trailing : {0, 4, 12}) {
      const Eigen::MatrixXd A = random_kkt(random, 40, 12, epsilon);
      const SparseMatrix matrix = sparse(A, true);
      const auto solver = make(matrix, trailing);
      ASSERT_TRUE(solver->factorize(matrix));
      expect_solution_of(*solver, A, random, fresh);
    }
  }
}

TEST_P(LinearSolverTest, SolvesChangingValuesOnOnePattern) {
  const SparseMatrix first = sparse(random_unsymmetric(random, 60));
  const auto solver = make(first);
  for (int change = 0; change < 20; ++change) {
    SparseMatrix matrix = first;
    for (double& value : matrix.values) value *= random.uniform(0.8, 1.25);
    ASSERT_TRUE(solver->factorize(matrix));
    expect_solution_of(*solver, support::dense(matrix), random, kept);
  }
  const LinearSolverStatistics& count = solver->statistics();
  EXPECT_EQ(count.factorizations + count.refactorizations, 20);
  EXPECT_EQ(count.solves, 20);
  EXPECT_EQ(count.reuses, 0);
}

TEST_P(LinearSolverTest, ServesEqualValuesWithTheLastFactors) {
  const Eigen::MatrixXd A = random_unsymmetric(random, 30);
  const SparseMatrix matrix = sparse(A);
  const auto solver = make(matrix);
  for (int again = 0; again < 5; ++again) {
    SparseMatrix copy = matrix;
    ASSERT_TRUE(solver->factorize(copy));
    expect_solution_of(*solver, A, random, fresh);
  }
  EXPECT_EQ(solver->statistics().factorizations, 1);
  EXPECT_EQ(solver->statistics().refactorizations, 0);
  EXPECT_EQ(solver->statistics().reuses, 4);
  EXPECT_EQ(solver->statistics().solves, 5);
}

TEST_P(LinearSolverTest, IsAccurateWhenThePivotsChosenFirstVanish) {
  // Pivots are chosen where the diagonal is large; then it almost vanishes, and only the rest is regular.
  constexpr Index size = 12;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    A(i, i) = 10;
    A(i, (i + 1) % size) = random.uniform(1, 2);
    A((i + 2) % size, i) = random.uniform(0.1, 0.2);
  }
  const SparseMatrix first = sparse(A);
  for (const double diagonal : {1e-9, 1e-14, 0.0}) {
    const auto solver = make(first);
    ASSERT_TRUE(solver->factorize(first));
    A.diagonal().setConstant(diagonal);
    SparseMatrix changed = first;
    for (Index i = 0; i < size; ++i) changed.values[changed.find(i, i)] = diagonal;
    ASSERT_TRUE(solver->factorize(changed));
    EXPECT_EQ(solver->statistics().factorizations, 2) << "new pivots at " << diagonal;
    EXPECT_EQ(solver->statistics().refactorizations, 0);
    expect_solution_of(*solver, A, random, fresh);
  }
}

TEST_P(LinearSolverTest, RefusesExactlySingularMatricesAndRecovers) {
  // A row whose values are all zero, in a pattern that would allow a regular matrix.
  Eigen::MatrixXd A = random_kkt(random, 10, 4, 1e-8);
  const SparseMatrix regular = sparse(A, true);
  SparseMatrix singular = regular;
  for (Index c = 0; c < regular.size; ++c) {
    const Index place = regular.find(11, c);
    if (place >= 0) singular.values[place] = 0;
  }
  const auto solver = make(regular);
  EXPECT_FALSE(solver->factorize(singular)) << "at once";
  ASSERT_TRUE(solver->factorize(regular));
  expect_solution_of(*solver, A, random, fresh);
  EXPECT_FALSE(solver->factorize(singular)) << "on kept pivots";
  EXPECT_FALSE(solver->factorize(singular)) << "the failure is not reused";
  ASSERT_TRUE(solver->factorize(regular));
  expect_solution_of(*solver, A, random, fresh);
}

TEST_P(LinearSolverTest, RefusesWhatIsNotFinite) {
  const Eigen::MatrixXd A = random_kkt(random, 10, 4, 1e-8);
  const SparseMatrix good = sparse(A, true);
  for (const double poison :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (std::size_t place = 0; place < good.values.size(); ++place) {
      SparseMatrix bad = good;
      bad.values[place] = poison;
      const auto solver = make(good);
      EXPECT_FALSE(solver->factorize(bad)) << poison << " at " << place << ", at once";
      ASSERT_TRUE(solver->factorize(good));
      EXPECT_FALSE(solver->factorize(bad)) << poison << " at " << place << ", after a good one";
      ASSERT_TRUE(solver->factorize(good));
      expect_solution_of(*solver, A, random, fresh);
    }
  }
}

TEST_P(LinearSolverTest, MayBeGivenAnotherPattern) {
  const Eigen::MatrixXd first = random_kkt(random, 20, 6, 1e-6);
  const Eigen::MatrixXd second = random_unsymmetric(random, 35);
  const auto solver = make(sparse(first, true), 6);
  ASSERT_TRUE(solver->factorize(sparse(first, true)));
  solver->analyze(sparse(second));
  ASSERT_TRUE(solver->factorize(sparse(second)));
  expect_solution_of(*solver, second, random, fresh);
}

INSTANTIATE_TEST_SUITE_P(Kinds, LinearSolverTest,
                         testing::Values(LinearSolverKind::klu, LinearSolverKind::umfpack),
                         [](const auto& param) {
                           return param.param == LinearSolverKind::klu ? "Klu" : "Umfpack";
                         });

TEST(LinearSolver, NoticesStructuralSingularityAtTheLatestWhenItFactorises) {
  // Rows 2, 3 and 4 have entries in columns 1 and 2 only: one of them gets no pivot.
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(5, 5);
  A.bottomRows<3>().setZero();
  A.block<3, 2>(2, 1) << 1, 2, 3, 5, 4, 7;
  A(0, 3) = A(1, 4) = 1;
  const SparseMatrix matrix = sparse(A);
  KluSolver klu;
  EXPECT_EQ(support::message_of<SolverError>([&] { klu.analyze(matrix, 0); }),
            "the matrix is structurally singular: rank 4 of 5");
  UmfpackSolver umfpack;
  umfpack.analyze(matrix, 0);
  EXPECT_FALSE(umfpack.factorize(matrix));
}

TEST(LinearSolver, KluKeepsPivotsThatStayGood) {
  Random random(7);
  SparseMatrix matrix = sparse(random_kkt(random, 30, 8, 1e-4), true);
  const auto solver = make_linear_solver(LinearSolverKind::klu, matrix);
  solver->analyze(matrix, 8);
  for (int change = 0; change < 10; ++change) {
    for (double& value : matrix.values) value *= random.uniform(0.9, 1.1);
    ASSERT_TRUE(solver->factorize(matrix));
  }
  EXPECT_EQ(solver->statistics().factorizations, 1);
  EXPECT_EQ(solver->statistics().refactorizations, 9);
}

TEST(LinearSolver, TrailingContactRowsOpenAndCloseOnKeptPivots) {
  // Multipliers 0 to 3 are open contacts (a diagonal alone) or closed ones (rows of G), in all combinations.
  Random random(9);
  constexpr Index free = 20;
  constexpr Index rows = 4;
  const Eigen::MatrixXd closed = random_kkt(random, free, rows, 1e-8);
  const SparseMatrix pattern = sparse(closed, true);
  const auto solver = make_linear_solver(LinearSolverKind::klu, pattern);
  solver->analyze(pattern, rows);
  for (int combination = 0; combination < 16; ++combination) {
    SparseMatrix matrix = pattern;
    for (Index j = 0; j < rows; ++j) {
      if ((combination >> j & 1) != 0) continue;
      for (Index c = 0; c < free; ++c) {
        const Index place = matrix.find(free + j, c);
        if (place >= 0) matrix.values[place] = 0;
      }
      matrix.values[matrix.find(free + j, free + j)] = -1;
    }
    ASSERT_TRUE(solver->factorize(matrix));
    expect_solution_of(*solver, support::dense(matrix), random, kept);
  }
  EXPECT_EQ(solver->statistics().factorizations, 1) << "the Schur complement has good pivots in every state";
}

TEST(LinearSolver, AutomaticTakesKluForSmallOrSparseMatricesAndUmfpackForOthers) {
  const auto name = [](Index size, Index entries_per_column) {
    PatternBuilder pattern(size);
    for (Index c = 0; c < size; ++c) {
      for (Index k = 0; k < entries_per_column; ++k) pattern.add((c + k) % size, c);
    }
    return std::string(make_linear_solver(LinearSolverKind::automatic, pattern.compress())->name());
  };
  EXPECT_EQ(name(100, 100), "KLU");
  EXPECT_EQ(name(5000, 5), "KLU");
  EXPECT_EQ(name(1000, 200), "UMFPACK");
}

/// Both of its solvers, one after another, as contacts come and go.
TEST(BlockSolver, SolvesSmallAndLargeSystemsInAnyOrder) {
  Random random(21);
  BlockSolver solver;
  for (const Index size : {900, 60, 61, 900, 901}) {
    const Eigen::MatrixXd A = random_unsymmetric(random, size);
    const SparseMatrix matrix = sparse(A);
    solver.analyze(matrix);
    ASSERT_TRUE(solver.factorize(matrix)) << size;
    const Vector b = random.vector(size);
    Vector x = b;
    solver.solve(x);
    // Rounding times condition numbers up to 1e4 of such matrices.
    EXPECT_LE((A * x - b).norm(), 1e-11 * b.norm()) << size;
  }
}

/// Rows that differ by twelve decades do not spoil the smallest ones.
TEST(BlockSolver, SolvesForRowsOfManySizes) {
  Random random(22);
  for (const Index size : {60, 900}) {
    const Eigen::MatrixXd A = random_unsymmetric(random, size);
    Eigen::MatrixXd graded = A;
    for (Index i = 0; i < size; ++i) graded.row(i) *= std::pow(10.0, -12.0 * random.uniform(0, 1));
    const SparseMatrix matrix = sparse(graded);
    const Vector x = random.vector(size);
    BlockSolver solver;
    solver.analyze(matrix);
    ASSERT_TRUE(solver.factorize(matrix));
    Vector result = graded * x;
    solver.solve(result);
    EXPECT_LE((result - x).norm(), 1e-11 * x.norm()) << size;
  }
}

TEST(BlockSolver, RefusesValuesThatAreNoNumbers) {
  Random random(23);
  for (const Index size : {60, 900}) {
    SparseMatrix matrix = sparse(random_unsymmetric(random, size));
    BlockSolver solver;
    solver.analyze(matrix);
    matrix.values[5] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(solver.factorize(matrix)) << size;
  }
}

}  // namespace
}  // namespace picus::linear_solver_test
