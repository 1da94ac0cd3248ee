#include <picus/models/references/bouncing_ball_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace picus::models {
namespace {

/// Height, restitution, gravity.
class BouncingBallExactTest : public testing::TestWithParam<std::tuple<double, double, double>> {
 protected:
  double height = std::get<0>(GetParam());
  double e = std::get<1>(GetParam());
  double g = std::get<2>(GetParam());
  BouncingBallExact exact{height, e, g};
};

TEST_P(BouncingBallExactTest, StartsAtRestAtItsHeight) {
  EXPECT_EQ(exact.position(0.0), height);
  EXPECT_EQ(exact.velocity(0.0), 0.0);
}

TEST_P(BouncingBallExactTest, EachImpactReversesTheVelocityByRestitution) {
  const double eps = 1e-9 * exact.impact_time(1);
  for (int n = 1; n <= 12; ++n) {
    const double t = exact.impact_time(n);
    if (t >= exact.accumulation_time()) break;
    const double before = exact.velocity(t - eps);
    const double after = exact.velocity(t + eps);
    EXPECT_LT(before, 0.0);
    EXPECT_NEAR(after, -e * before, 1e-6 * std::abs(before) + 2.0 * g * eps) << "impact " << n;
    EXPECT_NEAR(exact.position(t), 0.0, 1e-12 * height);
  }
}

TEST_P(BouncingBallExactTest, FallsFreelyBetweenImpacts) {
  const double first = exact.impact_time(1);
  const double d = 1e-3 * first;
  for (int i = 1; i < 400; ++i) {
    const double t = 0.01 * i * first;
    bool impact_near = t + d > exact.accumulation_time() - 0.05 * first;
    for (int n = 1; n < 40; ++n) impact_near |= std::abs(exact.impact_time(n) - t) < 2.0 * d;
    if (impact_near) continue;
    const double acceleration =
        (exact.position(t + d) - 2.0 * exact.position(t) + exact.position(t - d)) / (d * d);
    EXPECT_NEAR(acceleration, -g, 1e-6 * g) << "t = " << t;
    EXPECT_NEAR((exact.position(t + d) - exact.position(t - d)) / (2.0 * d), exact.velocity(t),
                1e-6 * g * first);
  }
}

TEST_P(BouncingBallExactTest, NeverPenetratesTheFloor) {
  const double end = std::fmin(exact.accumulation_time(), 40.0 * exact.impact_time(1));
  for (int i = 0; i <= 100000; ++i) ASSERT_GE(exact.position(1.01e-5 * i * end), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Parameters, BouncingBallExactTest,
                         testing::Values(std::tuple{0.8, 0.8, 9.8}, std::tuple{0.801, 0.8, 10.0},
                                         std::tuple{2.0, 0.0, 1.6}, std::tuple{1.0, 0.01, 9.81},
                                         std::tuple{0.1, 0.99, 9.81}, std::tuple{1.0, 1.0, 9.81}));

TEST(BouncingBallExact, HasTheAccumulationPointOfThePaper) {
  // Chen's ball falls 0.801 m to the contact of its radius of 0.2 m at g = 10.
  const BouncingBallExact exact(0.801, 0.8, 10.0);
  EXPECT_NEAR(exact.accumulation_time(), 9.0 * 0.40025, 1e-4);
  EXPECT_NEAR(exact.impact_time(200), exact.accumulation_time(), 1e-12);
}

TEST(BouncingBallExact, RestsFromTheAccumulationPointOn) {
  const BouncingBallExact exact(0.8, 0.8, 9.8);
  const double end = exact.accumulation_time();
  for (const double t : {end, std::nextafter(end, 10.0), end + 0.1, 1e9}) {
    EXPECT_EQ(exact.position(t), 0.0);
    EXPECT_EQ(exact.velocity(t), 0.0);
  }
  // Just before it the flights are very short, and everything is continuous up to rounding.
  for (double before = 1e-1; before > 1e-16; before /= 3.0) {
    EXPECT_LE(std::abs(exact.velocity(end - before)), 9.8 * before + 1e-12);
    EXPECT_LE(exact.position(end - before), 9.8 * before * before + 1e-12);
  }
}

TEST(BouncingBallExact, KeepsItsEnergyWithoutLosses) {
  const BouncingBallExact exact(1.0, 1.0, 9.81);
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.0123 * i;
    EXPECT_NEAR(9.81 * exact.position(t) + 0.5 * exact.velocity(t) * exact.velocity(t), 9.81, 1e-10);
  }
}

}  // namespace
}  // namespace picus::models
