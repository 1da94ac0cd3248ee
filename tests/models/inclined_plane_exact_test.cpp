#include <picus/models/references/inclined_plane_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models::inclined_plane_exact_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(InclinedPlaneExact, HasTheValuesOfTheThesis) {
  const InclinedPlaneExact exact(2.0, pi / 12.0, 0.3, 9.81);
  const double h = 1e-3;
  EXPECT_TRUE(exact.sticks());
  EXPECT_NEAR(exact.slip_end(), 0.3716, 5e-5);
  EXPECT_NEAR(exact.position(2.0), 0.3716, 5e-5);
  EXPECT_NEAR(exact.normal_force() * h, 9.476e-3, 5e-7);
  EXPECT_NEAR(exact.slipping_force() * h, -2.843e-3, 5e-7);
  EXPECT_NEAR(exact.sticking_force() * h, 2.539e-3, 5e-7);
}

TEST(InclinedPlaneExact, ObeysTheEquationOfMotion) {
  const double g = 9.81;
  const double d = 1e-4;
  for (const double speed : {2.0, -2.0, 0.0}) {
    for (const double slope : {0.0, 0.2, 0.6}) {
      for (const double mu : {0.0, 0.3, 1.0}) {
        const InclinedPlaneExact exact(speed, slope, mu, g);
        for (double t = 0.05; t < 2.0; t += 0.1) {
          if (std::abs(t - exact.slip_end()) < 2.0 * d) continue;
          const double w = exact.velocity(t);
          const double acceleration = (exact.velocity(t + d) - exact.velocity(t - d)) / (2.0 * d);
          EXPECT_NEAR((exact.position(t + d) - exact.position(t - d)) / (2.0 * d), w, 1e-9);
          if (w == 0.0) {
            EXPECT_LE(g * std::sin(slope), mu * g * std::cos(slope) + 1e-12)
                << "may rest only in the friction cone";
            EXPECT_EQ(acceleration, 0.0);
          } else {
            const double expected = -g * (std::sin(slope) + std::copysign(mu, w) * std::cos(slope));
            EXPECT_NEAR(acceleration, expected, 1e-8) << speed << ' ' << slope << ' ' << mu << ' ' << t;
          }
        }
      }
    }
  }
}

TEST(InclinedPlaneExact, NeverStopsDownhillOnASteepPlane) {
  const InclinedPlaneExact exact(-1.0, pi / 4.0, 0.3, 9.81);
  EXPECT_FALSE(exact.sticks());
  EXPECT_TRUE(std::isinf(exact.slip_end()));
  EXPECT_LT(exact.velocity(10.0), -1.0);
}

TEST(InclinedPlaneExact, TurnsBackOnASteepPlane) {
  const InclinedPlaneExact exact(1.0, pi / 4.0, 0.3, 9.81);
  EXPECT_FALSE(exact.sticks());
  EXPECT_GT(exact.velocity(0.5 * exact.slip_end()), 0.0);
  EXPECT_LT(exact.velocity(2.0 * exact.slip_end()), 0.0);
}

}  // namespace
}  // namespace picus::models::inclined_plane_exact_test
