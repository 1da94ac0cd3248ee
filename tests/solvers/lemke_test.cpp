// Lemke's method: exact solutions by enumeration of all complementary bases, classes of matrices, degenerate problems.

#include <picus/solvers/contact/lemke.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace picus::lemke_test {
namespace {

using support::Random;

/// All solutions with a regular complementary basis: of the 2^n choices of z_i = 0 or w_i = 0, those without a negative
/// entry.
std::vector<Vector> enumerate(const Eigen::MatrixXd& A, const Vector& b) {
  const auto n = count_of(b);
  std::vector<Vector> solutions;
  for (Index choice = 0; choice < (Index{1} << n); ++choice) {
    // w - A z = b in the basic variables.
    Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
    for (Index i = 0; i < n; ++i) {
      if ((choice >> i) & 1) basis.col(i) = -A.col(i);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(basis);
    if (!lu.isInvertible()) continue;
    const Vector x = lu.solve(b);
    if (x.minCoeff() < -1e-10) continue;
    Vector z = Vector::Zero(n);
    for (Index i = 0; i < n; ++i) {
      if ((choice >> i) & 1) z[i] = x[i];
    }
    solutions.push_back(z);
  }
  return solutions;
}

double distance_to_nearest(const std::vector<Vector>& solutions, const Vector& z) {
  double nearest = 1e300;
  for (const Vector& one : solutions) nearest = std::min(nearest, (one - z).lpNorm<Eigen::Infinity>());
  return nearest;
}

/// z, w >= 0 and w z = 0, to the rounding of problems of order 1 with a dozen pivots.
void expect_solution(const Eigen::MatrixXd& A, const Vector& b, const Vector& z) {
  const Vector w = b + A * z;
  const double unit = 1 + z.lpNorm<Eigen::Infinity>();
  EXPECT_GE(z.minCoeff(), 0);
  EXPECT_GE(w.minCoeff(), -1e-10 * unit);
  EXPECT_LE(std::abs(w.dot(z)), 1e-9 * unit * unit);
}

TEST(Lemke, FindsTheOneSolutionOfAPMatrix) {
  // Positive definite matrices with a skew part have a solution, for every b.
  Random random(1);
  Lemke lemke(6);
  for (int sample = 0; sample < 300; ++sample) {
    const Index n = 1 + sample % 6;
    const Eigen::MatrixXd root = random.matrix(n, n);
    const Eigen::MatrixXd skew = random.matrix(n, n);
    const Eigen::MatrixXd A =
        root * root.transpose() + skew - skew.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Vector b = random.vector(n, 3.0);
    const auto solutions = enumerate(A, b);
    ASSERT_EQ(solutions.size(), 1u);
    Vector z = Vector::Zero(n);
    ASSERT_EQ(lemke.solve(A, b, z).status, LemkeStatus::solved);
    EXPECT_LE((z - solutions[0]).lpNorm<Eigen::Infinity>(), 1e-9 * (1 + z.norm()));
  }
}

TEST(Lemke, FindsASolutionOfAStrictlyCopositiveMatrix) {
  // Positive entries: there may be several solutions.
  Random random(2);
  Lemke lemke(6);
  int several = 0;
  for (int sample = 0; sample < 300; ++sample) {
    const Index n = 2 + sample % 5;
    Eigen::MatrixXd A = random.matrix(n, n).cwiseAbs();
    A.diagonal().array() += 0.05;
    const Vector b = random.vector(n);
    const auto solutions = enumerate(A, b);
    if (solutions.size() > 1) ++several;
    Vector z = Vector::Zero(n);
    ASSERT_EQ(lemke.solve(A, b, z).status, LemkeStatus::solved);
    expect_solution(A, b, z);
    EXPECT_LE(distance_to_nearest(solutions, z), 1e-9 * (1 + z.norm()));
  }
  EXPECT_GE(several, 20);
}

/// G M^-1 G^T with fewer components than contacts, as for a body on many feet.
Eigen::MatrixXd compliance(Random& random, Index contacts, Index components) {
  const Eigen::MatrixXd G = random.matrix(contacts, components);
  return G * G.transpose();
}

TEST(Lemke, SolvesSingularCompliances) {
  // b in the range of A, like that of rates: feasible, and all solutions have the same w.
  Random random(3);
  Lemke lemke(7);
  for (int sample = 0; sample < 300; ++sample) {
    const Index n = 4 + sample % 4;
    const Eigen::MatrixXd G = random.matrix(n, 3);
    const Eigen::MatrixXd A = G * G.transpose();
    const Vector b = G * random.vector(3);
    Vector z = Vector::Zero(n);
    ASSERT_EQ(lemke.solve(A, b, z).status, LemkeStatus::solved);
    expect_solution(A, b, z);
    const auto solutions = enumerate(A, b);
    ASSERT_FALSE(solutions.empty());
    EXPECT_LE((A * (z - solutions[0])).lpNorm<Eigen::Infinity>(), 1e-8 * (1 + z.norm()));
  }
}

TEST(Lemke, ReportsProblemsWithoutSolution) {
  Lemke lemke(6);
  Vector z = Vector::Constant(1, 7.0);
  const Eigen::MatrixXd negative = Eigen::MatrixXd::Constant(1, 1, -1.0);
  EXPECT_EQ(lemke.solve(negative, Vector::Constant(1, -1.0), z).status, LemkeStatus::ray);
  EXPECT_EQ(z[0], 7.0) << "what was there stays";
  // For compliances: approach in a direction without compliance. A point between two closing walls.
  Eigen::MatrixXd walls(2, 2);
  walls << 1, -1, -1, 1;
  Vector pair = Vector::Zero(2);
  EXPECT_EQ(lemke.solve(walls, Vector::Constant(2, -1.0), pair).status, LemkeStatus::ray);
  Random random(4);
  int without = 0;
  for (int sample = 0; sample < 300; ++sample) {
    const Eigen::MatrixXd A = compliance(random, 5, 3);
    const Vector b = random.vector(5);
    Vector five = Vector::Zero(5);
    const bool is_solved = lemke.solve(A, b, five).status == LemkeStatus::solved;
    EXPECT_EQ(is_solved, !enumerate(A, b).empty()) << "sample " << sample;
    if (!is_solved) ++without;
  }
  EXPECT_GE(without, 20);
}

TEST(Lemke, DoesNotCycleOnDegenerateProblems) {
  // Equal contacts and zeros: many bases of the same point.
  Random random(5);
  Lemke lemke(8);
  for (int sample = 0; sample < 300; ++sample) {
    Eigen::MatrixXd G(8, 3);
    for (Index i = 0; i < 8; ++i) G.row(i) << 1, (i % 2 == 0 ? 1 : -1), (i % 4 < 2 ? 1 : -1);
    const Eigen::MatrixXd A = G * G.transpose();
    const Vector b = G * random.vec3(2.0).array().round().matrix();
    Vector z = Vector::Zero(8);
    const LemkeReport report = lemke.solve(A, b, z);
    ASSERT_EQ(report.status, LemkeStatus::solved);
    EXPECT_LE(report.pivots, 40);
    expect_solution(A, b, z);
  }
  // Ties in every ratio.
  const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(8, 8);
  Vector z = Vector::Zero(8);
  ASSERT_EQ(lemke.solve(ones, Vector::Constant(8, -1.0), z).status, LemkeStatus::solved);
  EXPECT_NEAR(z.sum(), 1.0, 1e-12);
}

TEST(Lemke, AnOpenProblemNeedsNoPivot) {
  Lemke lemke(3);
  Vector z = Vector::Ones(3);
  const LemkeReport report = lemke.solve(Eigen::Matrix3d::Identity(), Vec3(0, 1, 2), z);
  EXPECT_EQ(report.status, LemkeStatus::solved);
  EXPECT_EQ(report.pivots, 0);
  EXPECT_EQ(z.norm(), 0);
}

}  // namespace
}  // namespace picus::lemke_test
