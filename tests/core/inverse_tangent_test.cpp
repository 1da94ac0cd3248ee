#include <picus/inverse_tangent.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace picus::so3::inverse_tangent_test {
namespace {

using support::expect_near;

constexpr double pi = std::numbers::pi;
/// Some ten operations on numbers of order one; the even part E grows to 3 at 1.9 pi.
constexpr double rounding = 1e-14;

/// Rotation vectors from zero to nearly a full turn; the last one has the largest angle that log() can return.
std::vector<Vec3> vectors() {
  support::Random random(3);
  std::vector<Vec3> result = {Vec3::Zero()};
  for (const double angle : {1e-160, 1e-12, 1e-8, 1e-4, 1e-2, 0.1, 0.5, 1.0, 2.0, 3.0, pi, 4.0, 5.0, 5.9}) {
    for (int i = 0; i < 3; ++i) result.emplace_back(angle * random.direction());
  }
  return result;
}

TEST(InverseTangent, AgreesWithTheFunctionsOfOneVector) {
  support::Random random(4);
  for (const Vec3& psi : vectors()) {
    const InverseTangent inverse(psi);
    const Vec3 b = random.direction();
    expect_near(inverse.matrix(), tangent_inverse(psi), rounding, "T^-1");
    expect_near(inverse.apply(b), tangent_inverse(psi) * b, rounding, "T^-1 b");
    expect_near(inverse.apply_transposed(b), tangent_inverse(psi).transpose() * b, rounding, "T^-T b");
    expect_near(inverse.derivative(b), tangent_inverse_derivative(psi, b) + skew(b) / 2, rounding, "Q(b)");
  }
}

TEST(InverseTangent, RatesAreProductsOfTheDerivative) {
  support::Random random(5);
  for (const Vec3& psi : vectors()) {
    const InverseTangent inverse(psi);
    const Vec3 b = random.direction();
    const Vec3 c = random.direction();
    const Vec3 rate = inverse.derivative(b) * c;
    expect_near(inverse.even_rate(b, c), rate, rounding, "Q(b) c");
    expect_near(inverse.rate_matrix(c) * b, rate, rounding, "Y(c) b");
    EXPECT_EQ(inverse.rate_matrix(c), inverse.rate_matrix(c).transpose());
  }
}

TEST(InverseTangent, SecondDerivativeMatchesDifferences) {
  support::Random random(6);
  for (const Vec3& psi : vectors()) {
    if (psi.norm() > 5) continue;  // the pole at 2 pi makes differences inaccurate
    const Vec3 b = random.direction();
    const Vec3 c = random.direction();
    const Mat3 Z = InverseTangent(psi).second_derivative(b, c);
    for (int i = 0; i < 3; ++i) {
      const Vec3 column = support::derivative(
          [&](double t) -> Vec3 { return InverseTangent(psi + t * Vec3::Unit(i)).even_rate(b, c); });
      expect_near(Z.col(i), column, support::difference_tolerance, "Z(b, c)");
    }
  }
}

TEST(InverseTangent, SecondDerivativeIsSymmetricInItsDirections) {
  // Z(b, c) d = Z(b, d) c: partial derivatives commute. To rounding, unlike the differences.
  support::Random random(7);
  for (const Vec3& psi : vectors()) {
    const InverseTangent inverse(psi);
    const Vec3 b = random.direction();
    const Vec3 c = random.direction();
    const Vec3 d = random.direction();
    expect_near(inverse.second_derivative(b, c) * d, inverse.second_derivative(b, d) * c, rounding, "Z");
  }
}

TEST(InverseTangent, SecondSlopeHasItsSeries) {
  // With psi = a x: Q(y) x = -(2 a e + a^3 e_1) y = -(a^2 e)' y, so that Z(y, x) contains -(a^2 e)''. From Bernoulli
  // numbers e = 1/12 + a^2/720 + a^4/30240 + a^6/1209600 + a^8/47900160 + ...; the first omitted term is 1e-22.
  for (const double a : {1e-3, 1e-2, 0.05}) {
    const double second =
        InverseTangent(a * Vec3::UnitX()).second_derivative(Vec3::UnitY(), Vec3::UnitX())(1, 0);
    const double expected = -(1.0 / 6 + 12 * a * a / 720 + 30 * std::pow(a, 4) / 30240 +
                              56 * std::pow(a, 6) / 1209600 + 90 * std::pow(a, 8) / 47900160);
    EXPECT_NEAR(second, expected, 2e-16);
  }
}

}  // namespace
}  // namespace picus::so3::inverse_tangent_test
