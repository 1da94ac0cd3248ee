// CHOLMOD and conjugate gradients on symmetric matrices.

#include <picus/error.hpp>
#include <picus/solvers/linear/cholmod_solver.hpp>
#include <picus/solvers/linear/conjugate_gradient_solver.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <support/dense.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <limits>

namespace picus::symmetric_solver_test {

using solvers::CholmodSolver;
using solvers::ConjugateGradientSolver;

namespace {

using support::Random;
using support::sparse;

/// M + stiffness K of an n x n net of springs whose nodes have masses between 1 and 2.
Eigen::MatrixXd net(Random& random, Index n, double stiffness) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n * n, n * n);
  const auto add_spring = [&](Index i, Index j) {
    A(i, i) += stiffness;
    A(j, j) += stiffness;
    A(i, j) -= stiffness;
    A(j, i) -= stiffness;
  };
  for (Index i = 0; i < n * n; ++i) {
    A(i, i) += random.uniform(1, 2);
    if (i % n + 1 < n) add_spring(i, i + 1);
    if (i + n < n * n) add_spring(i, i + n);
  }
  return A;
}

Vector solve(LinearSolver& solver, const Vector& b) {
  Vector x = b;
  solver.solve(std::span(x.data(), x.size()));
  return x;
}

double relative_residual(const Eigen::MatrixXd& A, const Vector& x, const Vector& b) {
  return (A * x - b).norm() / b.norm();
}

class SymmetricSolver : public testing::Test {
 protected:
  Random random{17};
};

TEST_F(SymmetricSolver, CholmodSolvesToRounding) {
  CholmodSolver solver;
  const Eigen::MatrixXd A = net(random, 12, 50);
  const SparseMatrix matrix = sparse(A);
  solver.analyze(matrix, 0);
  for (const double factor : {1.0, 3.0, 0.1}) {
    SparseMatrix scaled = matrix;
    for (double& value : scaled.values) value *= factor;
    ASSERT_TRUE(solver.factorize(scaled));
    const Vector b = random.vector(A.rows());
    EXPECT_LE(relative_residual(factor * A, solve(solver, b), b), 1e-13);  // condition number below 1e3
  }
  ASSERT_TRUE(solver.factorize(matrix));
  ASSERT_TRUE(solver.factorize(matrix));
  EXPECT_EQ(solver.statistics().reuses, 1);
  EXPECT_GE(solver.factor_entries(), 144 * 2);
}

TEST_F(SymmetricSolver, CholmodSolvesIndefiniteMatricesByLu) {
  CholmodSolver solver;
  Eigen::MatrixXd A = net(random, 8, 5);
  const SparseMatrix definite = sparse(A);
  A.diagonal().head(20).array() -= 12;
  const SparseMatrix indefinite = sparse(A);
  ASSERT_EQ(definite.row, indefinite.row);
  solver.analyze(definite, 0);
  const Vector b = random.vector(A.rows());
  ASSERT_TRUE(solver.factorize(indefinite));
  EXPECT_LE(relative_residual(A, solve(solver, b), b), 1e-11);
  ASSERT_TRUE(solver.factorize(definite));
  EXPECT_LE(relative_residual(support::dense(definite), solve(solver, b), b), 1e-13);
}

TEST_F(SymmetricSolver, ConjugateGradientsReachTheirAccuracy) {
  for (const double accuracy : {1e-3, 1e-8}) {
    ConjugateGradientSolver solver(accuracy);
    const Eigen::MatrixXd A = net(random, 15, 1);
    const SparseMatrix matrix = sparse(A);
    solver.analyze(matrix, 0);
    ASSERT_TRUE(solver.factorize(matrix));
    const Vector b = random.vector(A.rows());
    EXPECT_LE(relative_residual(A, solve(solver, b), b),
              3 * accuracy);  // the norms differ by at most sqrt(6)
    EXPECT_EQ(solver.statistics().factorizations, 0);
    EXPECT_GT(solver.statistics().iterations, 3);
  }
}

TEST_F(SymmetricSolver, ConjugateGradientsTakeAnOlderFactorForStiffMatrices) {
  ConjugateGradientSolver solver(1e-6);
  const Eigen::MatrixXd A = net(random, 20, 1e5);  // more than 40 sweeps
  const SparseMatrix first = sparse(A);
  solver.analyze(first, 0);
  const Vector b = random.vector(A.rows());
  ASSERT_TRUE(solver.factorize(first));
  solve(solver, b);
  const auto with_sweeps = solver.statistics().iterations;
  ASSERT_GT(with_sweeps, 40);
  for (int change = 0; change < 5; ++change) {
    Eigen::MatrixXd changed = A;
    changed.diagonal().head(200).array() += 0.1 * change;
    ASSERT_TRUE(solver.factorize(sparse(changed)));
    EXPECT_LE(relative_residual(changed, solve(solver, b), b),
              1e-2);  // 1e-6 in a norm that weights stiffness 1e5 less
  }
  EXPECT_EQ(solver.statistics().factorizations, 1);
  EXPECT_LE(solver.statistics().iterations - with_sweeps, 5 * 10);
}

TEST_F(SymmetricSolver, ConjugateGradientsLeaveIndefiniteMatricesToADirectSolver) {
  ConjugateGradientSolver solver(1e-6);
  Eigen::MatrixXd A = net(random, 8, 5);
  const SparseMatrix definite = sparse(A);
  solver.analyze(definite, 0);
  const Vector b = random.vector(A.rows());
  A.diagonal().head(20).array() -= 2;  // still positive on the diagonal
  ASSERT_TRUE(solver.factorize(sparse(A)));
  EXPECT_LE(relative_residual(A, solve(solver, b), b), 1e-4);
  A.diagonal().head(20).array() -= 20;  // no longer
  ASSERT_TRUE(solver.factorize(sparse(A)));
  EXPECT_LE(relative_residual(A, solve(solver, b), b), 1e-4);
}

TEST_F(SymmetricSolver, BothRefuseWhatIsNotFinite) {
  SparseMatrix matrix = sparse(net(random, 4, 1));
  CholmodSolver cholmod;
  ConjugateGradientSolver iterative;
  for (LinearSolver* solver :
       {static_cast<LinearSolver*>(&cholmod), static_cast<LinearSolver*>(&iterative)}) {
    solver->analyze(matrix);
    ASSERT_TRUE(solver->factorize(matrix));
    SparseMatrix broken = matrix;
    broken.values[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(solver->factorize(broken));
    EXPECT_TRUE(solver->factorize(matrix));
  }
}

TEST_F(SymmetricSolver, KindsForSymmetricMatricesServeNoOthers) {
  const SparseMatrix matrix = sparse(net(random, 4, 1));
  EXPECT_EQ(make_linear_solver(LinearSolverKind::cholmod, matrix, true)->name(), "CHOLMOD");
  EXPECT_EQ(make_linear_solver(LinearSolverKind::conjugate_gradients, matrix, true)->name(),
            "conjugate gradients");
  EXPECT_EQ(make_linear_solver(LinearSolverKind::cholmod, matrix)->name(), "KLU");
  EXPECT_EQ(make_linear_solver(LinearSolverKind::automatic, matrix, true)->name(), "KLU");
}

}  // namespace
}  // namespace picus::symmetric_solver_test
