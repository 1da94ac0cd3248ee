#include <picus/elements/principal_values.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::principal_values_test {

using support::Random;

TEST(PrincipalValues, AreThoseOfTheMatrixThatWasTurned) {
  Random random(3);
  const Mat3 R = random.rotation();
  const Vec3 values(-2.0, 0.5, 7.0);
  const Vec3 found = principal_values(Mat3(R * values.asDiagonal() * R.transpose()));
  EXPECT_LT((found - values).norm(), 1e-14);
  // Only the lower triangle counts.
  Eigen::Matrix<double, 6, 6> six = Eigen::Matrix<double, 6, 6>::Zero();
  six.diagonal() << 6, 5, 4, 3, 2, 1;
  six(0, 5) = 100;
  const auto all = principal_values(six);
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(all[i], i + 1, 1e-14);
}

TEST(PrincipalValues, ScaledOnesDoNotDependOnUnits) {
  // A pair of rows coupled by 0.6 of their geometric mean: 1 - 0.6, whatever the units.
  for (const double unit : {1.0, 1e-6, 1e9}) {
    Mat3 A;
    A << 4.0, 1.2 * unit, 0, 1.2 * unit, unit * unit, 0, 0, 0, 7.0;
    EXPECT_NEAR(smallest_scaled_eigenvalue(A), 0.4, 1e-14) << unit;
  }
  // A row without a diagonal entry is not scaled: eigenvalues of [[1, c], [c, 0]].
  Eigen::Matrix<double, 6, 6> A = Eigen::Matrix<double, 6, 6>::Identity();
  A(2, 2) = 9.0;
  A(4, 4) = 0.0;
  A(2, 4) = A(4, 2) = 6.0;
  EXPECT_NEAR(smallest_scaled_eigenvalue(A), 0.5 - std::sqrt(0.25 + 4.0), 1e-14);
}

}  // namespace picus::principal_values_test
