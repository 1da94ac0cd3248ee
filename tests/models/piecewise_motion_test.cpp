#include <picus/models/references/piecewise_motion.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

Polynomial polynomial(std::initializer_list<double> coefficients) {
  Polynomial p(count_of(coefficients));
  Index k = 0;
  for (const double c : coefficients) p[k++] = c;
  return p;
}

TEST(FirstFallBelowZero, FindsTheZero) {
  EXPECT_DOUBLE_EQ(first_fall_below_zero(polynomial({2.0, 0.0, -1.0}), 3.0, 0.0), std::sqrt(2.0));
  EXPECT_GT(first_fall_below_zero(polynomial({2.0, 0.0, -1.0}), 1.0, 0.0), 1.0);
}

TEST(FirstFallBelowZero, LeavesOutAZeroAtTheStart) {
  // A throw from the ground lands, however weak it is.
  EXPECT_DOUBLE_EQ(first_fall_below_zero(polynomial({0.0, 3.0, -2.0}), 2.0, 0.0), 1.5);
  EXPECT_DOUBLE_EQ(first_fall_below_zero(polynomial({0.0, 3e-13, -2.0}), 2.0, 0.0), 1.5e-13);
  EXPECT_EQ(first_fall_below_zero(polynomial({0.0, -1.0}), 2.0, 0.0), 0.0);
}

TEST(FirstFallBelowZero, SeesADipBetweenTheEnds) {
  // (s - 1)(s - 2)
  EXPECT_DOUBLE_EQ(first_fall_below_zero(polynomial({2.0, -3.0, 1.0}), 4.0, 0.0), 1.0);
  // Touching zero is not a crossing.
  EXPECT_GT(first_fall_below_zero(polynomial({1.0, -2.0, 1.0}), 4.0, 1e-12), 4.0);
}

TEST(FirstFallBelowZero, TakesCoefficientsWithinTheToleranceForZero) {
  EXPECT_GT(first_fall_below_zero(polynomial({-1e-14, 1.0}), 1.0, 1e-12), 1.0);
  EXPECT_GT(first_fall_below_zero(polynomial({0.0, -1e-14, 1.0}), 1.0, 1e-12), 1.0);
  EXPECT_EQ(first_fall_below_zero(polynomial({-1e-10, 1.0}), 1.0, 1e-12), 0.0);
}

TEST(MotionPiece, IsAPolynomialOfTheTimeSinceItsStart) {
  Eigen::MatrixXd coefficients(1, 3);
  coefficients << 3.0, -1.0, 0.5;
  const MotionPiece piece{1.0, coefficients};
  EXPECT_EQ(piece.position(0, 3.0), 3.0 - 2.0 + 2.0);
  EXPECT_EQ(piece.velocity(0, 3.0), 1.0);
}

}  // namespace
}  // namespace picus::models
