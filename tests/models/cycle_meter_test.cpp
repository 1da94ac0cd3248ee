#include <picus/models/cycle_meter.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models::cycle_meter_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(CycleMeter, MeasuresACleanOscillation) {
  CycleMeter meter(0.5);
  const double f = 7.96;
  for (int n = 0; n <= 20000; ++n) {
    const double t = 1e-4 * n;
    meter.add(t, -0.3 + 0.2 * std::sin(2.0 * pi * f * t), 1.0 - 0.06 * t);
  }
  EXPECT_EQ(meter.cycles(), 11);  // crossings at k/f from 4/f = 0.5025 s to 15/f = 1.884 s
  EXPECT_NEAR(*meter.frequency(), f, 1e-4 * f);
  EXPECT_NEAR(*meter.fall_per_cycle(), 0.06 / f, 1e-4 * 0.06 / f);
}

TEST(CycleMeter, UnwrapsTheAngle) {
  CycleMeter meter(0.5);
  for (int n = 0; n <= 2000; ++n) {
    const double t = 1e-3 * n;
    meter.add(t, std::remainder(3.0 + std::sin(2.0 * pi * 5.0 * t), 2.0 * pi), -t);
  }
  EXPECT_NEAR(*meter.frequency(), 5.0, 1e-3);
  EXPECT_NEAR(*meter.fall_per_cycle(), 0.2, 1e-4);
}

TEST(CycleMeter, InterpolatesBetweenSamples) {
  CycleMeter meter(0.5);
  // A triangle wave of period 1 with mean 0, sampled so coarsely that no sample lies on a crossing.
  for (int n = 0; n < 60; ++n) {
    const double t = 0.05 + 0.1 * n;
    const double phase = t - std::floor(t);
    meter.add(t, phase < 0.5 ? 4.0 * phase - 1.0 : 3.0 - 4.0 * phase, 2.0 - 0.5 * t);
  }
  EXPECT_NEAR(*meter.frequency(), 1.0, 0.02);
  EXPECT_NEAR(*meter.fall_per_cycle(), 0.5, 0.01);
}

TEST(CycleMeter, HasNothingToSayOfAShortRun) {
  CycleMeter meter(0.5);
  for (int n = 0; n < 500; ++n) meter.add(1e-3 * n, std::sin(n * 0.1), 0.0);
  EXPECT_EQ(meter.cycles(), 0);
  EXPECT_FALSE(meter.frequency());
  EXPECT_FALSE(meter.fall_per_cycle());
}

TEST(CycleMeter, SeesNoCycleInAnAngleAtRest) {
  CycleMeter meter(0.5);
  for (int n = 0; n < 2000; ++n) meter.add(1e-3 * n, -0.25, 0.0);
  EXPECT_FALSE(meter.frequency());
}

}  // namespace
}  // namespace picus::models::cycle_meter_test
