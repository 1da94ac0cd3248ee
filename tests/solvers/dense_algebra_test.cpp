#include <picus/error.hpp>
#include <picus/solvers/linear/dense_algebra.hpp>
#include <support/random.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace picus::dense_algebra_test {

using solvers::find_general_eigenpairs;
using solvers::find_symmetric_eigenpairs;
using solvers::find_symmetric_eigenvalues;
using solvers::GeneralEigenpairs;
using solvers::inverse_of_positive_definite;
using solvers::orthogonal_complement;
using solvers::orthonormalize;
using solvers::product;
using solvers::symmetric_part;
using solvers::SymmetricEigenpairs;
using solvers::transpose_product;

namespace {

using support::Random;

/// A chain of n equal springs and masses between two walls: s_k = 4 sin^2(k pi / (2 (n + 1))).
Eigen::MatrixXd chain(Index n) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  K.diagonal().setConstant(2.0);
  K.diagonal(-1).setConstant(-1.0);
  return K;
}
double chain_eigenvalue(Index n, Index k) {
  const double half = std::sin(k * std::numbers::pi / (2.0 * (n + 1)));
  return 4 * half * half;
}

double defect_of_orthonormality(const Eigen::MatrixXd& Q) {
  return (Q.transpose() * Q - Eigen::MatrixXd::Identity(Q.cols(), Q.cols())).cwiseAbs().maxCoeff();
}

constexpr double rounding = 1e-13;  // some hundred times that of sums of up to 100 terms of order one

}  // namespace

TEST(DenseAlgebra, FindsTheModesOfAChainInAscendingOrderFromTheLowerTriangle) {
  for (const Index n : {1, 2, 25, 60}) {
    const Eigen::MatrixXd K = chain(n);
    const SymmetricEigenpairs pairs = find_symmetric_eigenpairs(K);
    ASSERT_EQ(pairs.values.size(), n);
    for (Index k = 0; k < n; ++k) EXPECT_NEAR(pairs.values[k], chain_eigenvalue(n, k + 1), rounding);
    EXPECT_LT(defect_of_orthonormality(pairs.vectors), rounding);
    const Eigen::MatrixXd both = K.selfadjointView<Eigen::Lower>();
    const Eigen::MatrixXd defect = both * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
    EXPECT_LT(defect.cwiseAbs().maxCoeff(), rounding);
  }
}

TEST(DenseAlgebra, FindsSymmetricEigenvaluesRelativeToAnotherMatrix) {
  const Index n = 25;
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
  B.diagonal().setConstant(4.0);
  const std::optional<Vector> values = find_symmetric_eigenvalues(chain(n), B);
  ASSERT_TRUE(values);
  for (Index k = 0; k < n; ++k) EXPECT_NEAR((*values)[k], chain_eigenvalue(n, k + 1) / 4, rounding);
  B(3, 3) = -1.0;
  EXPECT_FALSE(find_symmetric_eigenvalues(chain(n), B));
}

TEST(DenseAlgebra, FindsConjugateRealAndInfiniteEigenvalues) {
  // Blocks with eigenvalues 1 +- 2i, 3 and infinity, hidden by random factors from both sides.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4), B = Eigen::MatrixXd::Identity(4, 4);
  A.topLeftCorner(2, 2) << 1, 2, -2, 1;
  A(2, 2) = 3;
  A(3, 3) = 1;
  B(3, 3) = 0;
  Random random(5);
  const Eigen::MatrixXd left = random.matrix(4, 4), right = random.matrix(4, 4);
  A = left * A * right;
  B = left * B * right;
  const GeneralEigenpairs pairs = find_general_eigenpairs(A, B);
  std::vector<std::complex<double>> finite;
  for (Index i = 0; i < 4; ++i) {
    const Eigen::VectorXcd x = pairs.vectors.col(i);
    EXPECT_GT(x.cwiseAbs().maxCoeff(), 0.7);
    const Eigen::VectorXcd defect = pairs.betas[i] * (A * x) - pairs.alphas[i] * (B * x);
    EXPECT_LT(defect.cwiseAbs().maxCoeff(), 1e-12) << i;
    if (std::abs(pairs.betas[i]) > 1e-12) finite.push_back(pairs.alphas[i] / pairs.betas[i]);
  }
  std::sort(finite.begin(), finite.end(), [](auto a, auto b) { return a.imag() < b.imag(); });
  ASSERT_EQ(finite.size(), 3U);
  EXPECT_LT(std::abs(finite[0] - std::complex(1.0, -2.0)), 1e-11);
  EXPECT_LT(std::abs(finite[1] - std::complex(3.0, 0.0)), 1e-11);
  EXPECT_LT(std::abs(finite[2] - std::complex(1.0, 2.0)), 1e-11);
}

TEST(DenseAlgebra, OrthonormalColumnsSpanTheSameSpace) {
  Random random(7);
  for (const auto& [rows, columns] : {std::pair<Index, Index>(1, 1), {40, 5}, {80, 80}}) {
    const Eigen::MatrixXd X = random.matrix(rows, columns);
    const Eigen::MatrixXd Q = orthonormalize(X);
    ASSERT_EQ(Q.cols(), columns);
    EXPECT_LT(defect_of_orthonormality(Q), rounding);
    EXPECT_LT((X - Q * (Q.transpose() * X)).cwiseAbs().maxCoeff(), rounding);
  }
}

TEST(DenseAlgebra, TheComplementIsOrthogonalToDependentColumnsToo) {
  Random random(9);
  const Eigen::MatrixXd base = random.matrix(30, 4);
  Eigen::MatrixXd A(30, 7);
  A << base, base * random.matrix(4, 3);
  const Eigen::MatrixXd Z = orthogonal_complement(A, 1e-10);
  ASSERT_EQ(Z.cols(), 26);
  EXPECT_LT(defect_of_orthonormality(Z), rounding);
  EXPECT_LT((A.transpose() * Z).cwiseAbs().maxCoeff(), rounding);
  // More columns than rows, and none.
  EXPECT_EQ(orthogonal_complement(random.matrix(3, 8), 1e-10).cols(), 0);
  EXPECT_EQ(orthogonal_complement(Eigen::MatrixXd::Zero(5, 2), 1e-10).cols(), 5);
  EXPECT_EQ(orthogonal_complement(Eigen::MatrixXd(5, 0), 1e-10).cols(), 5);
}

TEST(DenseAlgebra, InvertsPositiveDefiniteMatricesOnly) {
  for (const Index n : {1, 6, 70}) {
    const Eigen::MatrixXd K = chain(n);
    const std::optional<Eigen::MatrixXd> inverse = inverse_of_positive_definite(K);
    ASSERT_TRUE(inverse);
    // Of the chain: i (n + 1 - j) / (n + 1) for i <= j.
    for (Index i = 0; i < n; ++i) {
      for (Index j = i; j < n; ++j) {
        const double exact = (i + 1.0) * (n - j) / (n + 1.0);
        EXPECT_NEAR((*inverse)(i, j), exact, 1e-12 * n);
        EXPECT_EQ((*inverse)(j, i), (*inverse)(i, j));
      }
    }
  }
  Eigen::MatrixXd indefinite = chain(3);
  indefinite(2, 2) = -1;
  EXPECT_FALSE(inverse_of_positive_definite(indefinite));
  EXPECT_FALSE(inverse_of_positive_definite(Eigen::MatrixXd::Zero(2, 2)));
}

TEST(DenseAlgebra, ProductsAndSymmetricParts) {
  Eigen::MatrixXd A(2, 3), B(3, 2);
  A << 1, 2, 3, 4, 5, 6;
  B << 1, 0, -1, 2, 0, 1;
  Eigen::Matrix2d AB, symmetric;
  AB << -1, 7, -1, 16;
  symmetric << -1, 3, 3, 16;
  EXPECT_EQ(product(A, B), AB);
  EXPECT_EQ(transpose_product(A.transpose(), B), AB);
  EXPECT_EQ(symmetric_part(AB), symmetric);
}

TEST(DenseAlgebra, RefusesWhatIsNotFinite) {
  Eigen::MatrixXd A = chain(4);
  A(2, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto refusal = testing::ThrowsMessage<SolverError>(
      testing::StrEq("a matrix of 4 x 4 has entries that are not finite"));
  EXPECT_THAT([&] { find_symmetric_eigenpairs(A); }, refusal);
  EXPECT_THAT([&] { find_symmetric_eigenvalues(chain(4), A); }, refusal);
  EXPECT_THAT([&] { find_general_eigenpairs(A, chain(4)); }, refusal);
  EXPECT_THAT([&] { orthonormalize(A); }, refusal);
  EXPECT_THAT([&] { orthogonal_complement(A, 1e-10); }, refusal);
  EXPECT_THAT([&] { inverse_of_positive_definite(A); }, refusal);
}

TEST(DenseAlgebra, EmptyMatricesHaveNoEigenvalues) {
  const Eigen::MatrixXd none(0, 0);
  EXPECT_EQ(find_symmetric_eigenpairs(none).values.size(), 0);
  EXPECT_EQ(find_symmetric_eigenvalues(none, none)->size(), 0);
  EXPECT_EQ(find_general_eigenpairs(none, none).alphas.size(), 0);
  EXPECT_EQ(orthonormalize(Eigen::MatrixXd(4, 0)).cols(), 0);
}

}  // namespace picus::dense_algebra_test
