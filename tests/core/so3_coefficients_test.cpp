#include <picus/so3.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace picus::so3::so3_coefficients_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double pi = std::numbers::pi;

double error(const Mat3& a, const Mat3& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

using Real = long double;

/// The scalar coefficients of exp, T, T^-1 and their derivatives; slope: derivative with respect to the angle,
/// divided by the angle.
struct Coefficients {
  Real c_1, c_2, c_3, c_2_slope, c_3_slope, e, e_slope;
};

Coefficients closed_forms(Real a) {
  const Real s = std::sin(a);
  const Real c = std::cos(a);
  const Real cot = std::cos(a / 2) / std::sin(a / 2);
  Coefficients r{};
  r.c_1 = s / a;
  r.c_2 = (1 - c) / (a * a);
  r.c_3 = (a - s) / (a * a * a);
  r.c_2_slope = (s / a - 2 * r.c_2) / (a * a);
  r.c_3_slope = (r.c_2 - 3 * r.c_3) / (a * a);
  r.e = 1 / (a * a) - cot / (2 * a);
  r.e_slope = ((1 + cot * cot) / 4 + cot / (2 * a) - 2 / (a * a)) / (a * a);
  return r;
}

/// By 40 terms of the Maclaurin series in the angle; e from e = -c_2'/(2 a c_2) and its derivative.
Coefficients series(Real a) {
  Coefficients r{};
  Real c_2_second = 0;
  Real factorial = 1;             // (2 k + 1)!, signed
  Real power = 1;                 // a^(2 k)
  Real power_1 = 0, power_2 = 0;  // the two before
  for (int k = 0; k < 40; ++k) {
    const Real c_2 = 1 / (factorial * (2 * k + 2));
    const Real c_3 = c_2 / (2 * k + 3);
    r.c_1 += power / factorial;
    r.c_2 += power * c_2;
    r.c_3 += power * c_3;
    r.c_2_slope += 2 * k * power_1 * c_2;
    r.c_3_slope += 2 * k * power_1 * c_3;
    c_2_second += 4 * k * (k - 1) * power_2 * c_2;
    power_2 = power_1;
    power_1 = power;
    power *= a * a;
    factorial *= -Real(2 * k + 2) * Real(2 * k + 3);
  }
  r.e = -r.c_2_slope / (2 * r.c_2);
  r.e_slope = (r.c_2_slope * r.c_2_slope / r.c_2 - c_2_second) / (2 * r.c_2);
  return r;
}

Coefficients reference(Real a) {
  return a < 2.5L ? series(a) : closed_forms(a);
}

/// The coefficients as evaluated by the library, from entries in which each appears alone.
Coefficients observed(double x, double y) {
  const Vec3 psi(x, y, 0);
  const Real xy = Real(x) * Real(y);
  const Vec3 b(x, 2 * y, 0);  // makes psi_0 b_1 - 2 b_0 psi_1 vanish
  Coefficients r{};
  r.c_1 = so3::exp(psi)(2, 1) / Real(x);
  r.c_2 = so3::exp(psi)(0, 1) / xy;
  r.c_3 = tangent(psi)(0, 1) / xy;
  r.c_2_slope = -tangent_derivative(psi, Vec3::UnitZ())(0, 0) / xy;
  r.c_3_slope = tangent_derivative(psi, b)(0, 1) / (xy * y * y);
  r.e = tangent_inverse(psi)(0, 1) / xy;
  r.e_slope = tangent_inverse_derivative(psi, b)(0, 1) / (xy * y * y);
  return r;
}

constexpr std::array members = {&Coefficients::c_1,       &Coefficients::c_2,       &Coefficients::c_3,
                                &Coefficients::c_2_slope, &Coefficients::c_3_slope, &Coefficients::e,
                                &Coefficients::e_slope};

TEST(So3Coefficients, ReferenceSeriesAndClosedFormsAgree) {
  // Absolute, for values of 0.01 to 10. The closed forms suffer cancellation at the low end, the series at the high
  // one.
  for (Real a = 2; a < 6; a += 0.1L) {
    for (const auto member : members) {
      const Real expected = closed_forms(a).*member;
      EXPECT_NEAR(static_cast<double>(series(a).*member - expected), 0, 2e-16) << static_cast<double>(a);
    }
  }
}

TEST(So3Coefficients, HaveFullRelativeAccuracyAtAllAngles) {
  // Half an eps for each of the roundings in the formula and in the entry observed.
  constexpr std::array<Real, 7> limit = {2, 2.5, 3, 4.5, 5, 4, 4};
  std::vector<double> all = {1e-12, 1e-8, 1e-6, 1e-4, 1e-2, 3, pi - 1e-3, pi - 1e-6, pi, 6.28};
  for (double a = 0.01; a < 6.28; a += 0.003) all.push_back(a);
  for (const double a : all) {
    // Floats, so that products of two are exact.
    const double x = static_cast<float>(0.6 * a);
    const double y = static_cast<float>(0.8 * a);
    const Real exact = std::sqrt(Real(x) * x + Real(y) * y);
    const Coefficients got = observed(x, y);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Real expected = reference(exact).*members[i];
      // A relative error of the angle of 1.5 eps is multiplied by the slope (near the zero at pi and the pole at 2
      // pi).
      const Real slope = (reference(exact * (1 + 1e-7L)).*members[i] - expected) / 1e-7L;
      const Real tolerance = eps * (limit[i] * std::abs(expected) + 1.5L * std::abs(slope));
      EXPECT_LE(std::abs(got.*members[i] - expected), tolerance) << "coefficient " << i << " at " << a;
    }
  }
}

TEST(So3Coefficients, OfExpAndTangentHoldPastTwoPi) {
  for (double a = 6; a < 40; a += 0.01) {
    const double x = static_cast<float>(0.6 * a);
    const double y = static_cast<float>(0.8 * a);
    const Real exact = std::sqrt(Real(x) * x + Real(y) * y);
    const Coefficients got = observed(x, y);
    // Scale of the effect of rounding the angle, as the coefficients have zeros here.
    const std::array<double, 5> size = {1, 1 / a, 1 / (a * a), 1 / (a * a), 1 / (a * a * a)};
    for (std::size_t i = 0; i < size.size(); ++i) {
      EXPECT_LE(std::abs(got.*members[i] - reference(exact).*members[i]), 4 * eps * size[i])
          << i << " at " << a;
    }
  }
}

TEST(So3Coefficients, DoNotJumpWhereSeriesAndClosedFormsMeet) {
  const Vec3 b(0.3, -1.1, 0.7);
  for (const double threshold : {2.0, 2 * std::sqrt(10.0)}) {
    for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0.6, 0, 0.8), Vec3(2.0 / 3, -2.0 / 3, 1.0 / 3)}) {
      const Vec3 below = threshold * (1 - 2 * eps) * direction;
      const Vec3 above = threshold * (1 + 2 * eps) * direction;
      // The angles differ by 4 eps relative; the rest are rounding errors on either side.
      const double tolerance = (4 * threshold + 16) * eps;
      EXPECT_LE(error(so3::exp(below), so3::exp(above)), tolerance);
      EXPECT_LE(error(tangent(below), tangent(above)), tolerance);
      EXPECT_LE(error(tangent_derivative(below, b), tangent_derivative(above, b)), tolerance);
      if (threshold > 6) continue;
      EXPECT_LE(error(tangent_inverse(below), tangent_inverse(above)), tolerance);
      EXPECT_LE(error(tangent_inverse_derivative(below, b), tangent_inverse_derivative(above, b)), tolerance);
    }
  }
}

}  // namespace
}  // namespace picus::so3::so3_coefficients_test
