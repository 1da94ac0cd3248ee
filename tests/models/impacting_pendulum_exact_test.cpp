#include <picus/models/references/impacting_pendulum_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

TEST(JacobiElliptic, IsTrigonometricForModulusZero) {
  for (const double u : {-2.0, 0.0, 0.3, 5.0}) {
    const auto [sn, cn, dn] = jacobi_elliptic(u, 0.0);
    EXPECT_NEAR(sn, std::sin(u), 1e-15);
    EXPECT_NEAR(cn, std::cos(u), 1e-15);
    EXPECT_EQ(dn, 1.0);
  }
}

TEST(JacobiElliptic, InvertsTheEllipticIntegral) {
  for (const double k : {0.1, 0.5, 0.9, 0.999}) {
    for (const double phi : {-1.2, 0.0, 0.4, 1.5, 3.0}) {
      const auto [sn, cn, dn] = jacobi_elliptic(std::ellint_1(k, phi), k);
      EXPECT_NEAR(sn, std::sin(phi), 1e-13);
      EXPECT_NEAR(cn, std::cos(phi), 1e-13);
      EXPECT_NEAR(dn, std::sqrt(1.0 - k * k * std::sin(phi) * std::sin(phi)), 1e-13);
    }
  }
}

class ImpactingPendulumExactTest : public testing::TestWithParam<ImpactingPendulumExact::Parameters> {
 protected:
  const ImpactingPendulumExact::Parameters p = GetParam();
  const ImpactingPendulumExact exact{p, 8.0};
  const double w_square = p.mass * p.gravity * p.length / (p.mass * p.length * p.length + p.inertia);
  const double wall_angle = std::asin(p.wall / p.length);
};

TEST_P(ImpactingPendulumExactTest, StartsAtRestAtTheHorizontal) {
  EXPECT_NEAR(exact.angle(0.0), 0.5 * std::numbers::pi, 1e-15);
  EXPECT_EQ(exact.angle_rate(0.0), 0.0);
}

TEST_P(ImpactingPendulumExactTest, FirstImpactIsWhereTheEnergyIntegralSaysSo) {
  // t = integral of dphi / (w sqrt(2 cos phi)) from the wall to pi/2, with phi = pi/2 - s^2, by Simpson's rule.
  const int n = 2000;
  const double end = std::sqrt(0.5 * std::numbers::pi - wall_angle);
  double sum = 0.0;
  for (int i = 0; i <= n; ++i) {
    const double s = end * i / n;
    const double f = i == 0 ? std::numbers::sqrt2 : 2.0 * s / std::sqrt(2.0 * std::sin(s * s));
    sum += f * (i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
  }
  EXPECT_NEAR(exact.impact_times()[0], sum * end / (3.0 * n) / std::sqrt(w_square), 1e-12);
}

TEST_P(ImpactingPendulumExactTest, SwingsByThePendulumEquationBetweenImpacts) {
  const double d = 1e-4;
  for (int i = 1; i < 700; ++i) {
    const double t = 0.0101 * i;
    bool impact_near = false;
    for (const double impact : exact.impact_times()) impact_near |= std::abs(impact - t) < 2.0 * d;
    if (impact_near || exact.angle_rate(t) == 0.0) continue;
    const double rate = (exact.angle(t + d) - exact.angle(t - d)) / (2.0 * d);
    const double acceleration = (exact.angle_rate(t + d) - exact.angle_rate(t - d)) / (2.0 * d);
    EXPECT_NEAR(rate, exact.angle_rate(t), 1e-6) << "t = " << t;
    EXPECT_NEAR(acceleration, -w_square * std::sin(exact.angle(t)), 1e-5) << "t = " << t;
  }
}

TEST_P(ImpactingPendulumExactTest, EachImpactReversesTheRateByRestitution) {
  const double eps = 1e-9;
  for (std::size_t n = 0; n < std::min<std::size_t>(12, exact.impact_times().size() - 1); ++n) {
    const double t = exact.impact_times()[n];
    EXPECT_NEAR(exact.angle(t), wall_angle, 1e-9);
    EXPECT_NEAR(exact.angle_rate(t + eps), -p.restitution * exact.angle_rate(t - eps), 1e-6);
    EXPECT_LT(exact.angle_rate(t - eps), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Parameters, ImpactingPendulumExactTest,
                         testing::Values(ImpactingPendulumExact::Parameters{1.0, 0.1, 1.0, 10.0,
                                                                            0.5 * std::numbers::sqrt2, 0.8},
                                         ImpactingPendulumExact::Parameters{2.0, 0.0, 0.5, 9.81, 0.0, 0.9},
                                         ImpactingPendulumExact::Parameters{1.0, 0.5, 1.0, 10.0, 0.9, 1.0}));

TEST(ImpactingPendulumExact, LeansOnTheWallInTheEnd) {
  const ImpactingPendulumExact exact({1.0, 0.1, 1.0, 10.0, 0.5 * std::numbers::sqrt2, 0.8}, 10.0);
  EXPECT_LT(exact.impact_times().back(), 4.42);
  EXPECT_NEAR(exact.x(5.0), 0.5 * std::numbers::sqrt2, 1e-15);
  EXPECT_EQ(exact.x_rate(5.0), 0.0);
  // Short swings are like those of a ball on a slope, whose durations decrease by the factor e.
  const auto& t = exact.impact_times();
  EXPECT_NEAR((t[60] - t[59]) / (t[59] - t[58]), 0.8, 1e-4);
}

}  // namespace
}  // namespace picus::models
