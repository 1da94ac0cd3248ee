/// Motions defined by a few numbers: where they begin and end, and that rates and accelerations are their derivatives.

#include <picus/error.hpp>
#include <picus/prescribed_motion.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus::prescribed_motion_test {
namespace {

void expect_derivatives(const PrescribedMotion& motion, double from, double to) {
  const double d = 1e-5 * (to - from);
  for (int i = 0; i < 40; ++i) {
    const double t = from + (to - from) * (i + 0.37) / 40;
    const auto slope = [&](const std::function<double(double)>& f) {
      return (f(t + d) - f(t - d)) / (2 * d);
    };
    // Central differences: d^2 times third derivatives of at most 100 in units of the motion, and rounding over d.
    EXPECT_NEAR(motion.rate(t), slope(motion.displacement), 1e-7) << "t = " << t;
    EXPECT_NEAR(motion.acceleration(t), slope(motion.rate), 1e-7) << "t = " << t;
  }
}

TEST(PrescribedMotion, OfASmoothStepGoesFromRestToRest) {
  const PrescribedMotion motion = PrescribedMotion::smooth_step(0.3, 2.0, 1.0);
  expect_derivatives(motion, 0.5, 3.5);
  EXPECT_EQ(motion.displacement(0.9), 0.0);
  EXPECT_DOUBLE_EQ(motion.displacement(2.0), 0.15);
  EXPECT_DOUBLE_EQ(motion.displacement(7.0), 0.3);
  for (const double t : {1.0, 3.0, 7.0}) {
    EXPECT_EQ(motion.rate(t), 0.0);
    EXPECT_EQ(motion.acceleration(t), 0.0);
  }
}

TEST(PrescribedMotion, OfASmoothStartEndsWithItsSpeed) {
  const PrescribedMotion motion = PrescribedMotion::smooth_start(40.0, 0.5);
  expect_derivatives(PrescribedMotion::smooth_start(0.4, 0.5), 0.0, 1.0);
  EXPECT_EQ(motion.rate(0.0), 0.0);
  EXPECT_DOUBLE_EQ(motion.rate(0.5), 40.0);
  EXPECT_EQ(motion.acceleration(0.5), 0.0);
  EXPECT_DOUBLE_EQ(motion.displacement(2.5), 40.0 * (2.5 - 0.25));  // half of the start is lost
}

/// A spline reproduces a cubic polynomial whose slopes at the ends are zero, wherever its points are.
TEST(PrescribedMotion, OfATableIsACubicSpline) {
  const auto cubic = [](double x) { return x * x * (3 - 2 * x); };
  const std::vector<double> times = {0.0, 0.1, 0.35, 0.5, 0.9, 1.0};
  std::vector<double> values;
  for (const double t : times) values.push_back(cubic(t));
  const PrescribedMotion motion = PrescribedMotion::table(times, values);
  for (const double t : {0.05, 0.2, 0.4, 0.77, 0.95}) {
    EXPECT_NEAR(motion.displacement(t), cubic(t), 1e-15);
    EXPECT_NEAR(motion.rate(t), 6 * t * (1 - t), 1e-14);
    EXPECT_NEAR(motion.acceleration(t), 6 - 12 * t, 1e-13);
  }
  EXPECT_EQ(motion.displacement(2.0), 1.0);
  EXPECT_EQ(motion.rate(2.0), 0.0);

  const PrescribedMotion bumpy = PrescribedMotion::table({0, 0.2, 0.5, 0.6, 1}, {0, 0.3, -0.1, 0.2, 0.2});
  EXPECT_NEAR(bumpy.displacement(0.5), -0.1, 1e-16);
  for (const double t : {0.2, 0.5, 0.6})  // continuous curvature
    EXPECT_NEAR(bumpy.acceleration(t - 1e-12), bumpy.acceleration(t + 1e-12), 1e-8);
  expect_derivatives(PrescribedMotion::table({0, 1}, {0, 0.1}), 0.0, 1.0);
}

TEST(PrescribedMotion, RefusesWhatIsNone) {
  const auto table = [](const std::vector<double>& t, const std::vector<double>& x) {
    return support::message_of<ModelError>([&] { PrescribedMotion::table(t, x); });
  };
  EXPECT_EQ(table({0}, {0}),
            "prescribed motion: 1 times and 1 displacements, must be as many, and two at least");
  EXPECT_EQ(table({0, 1}, {0}),
            "prescribed motion: 2 times and 1 displacements, must be as many, and two at least");
  EXPECT_EQ(table({0, 1, 1}, {0, 1, 2}),
            "prescribed motion: time 2 of the table, 1 s, does not exceed the one before");
  EXPECT_EQ(table({0, 1}, {0, std::numeric_limits<double>::quiet_NaN()}),
            "prescribed motion: entry 1 of the table is not finite");
  EXPECT_EQ(support::message_of<ModelError>([] { PrescribedMotion::smooth_step(1, 0); }),
            "prescribed motion: duration is 0 s, must be positive");
  EXPECT_EQ(support::message_of<ModelError>([] { PrescribedMotion::smooth_start(1, -1); }),
            "prescribed motion: duration is -1 s, must be positive");
}

}  // namespace
}  // namespace picus::prescribed_motion_test
