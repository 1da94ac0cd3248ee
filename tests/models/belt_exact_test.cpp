/// The event-driven solution of the block on the belt: equations of motion, impact law, friction law, closed forms.

#include <picus/models/references/belt_exact.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

using Phase = BeltExact::Phase;

constexpr double until = 3.0;
const Belt belt;
const double omega = std::sqrt(belt.stiffness / belt.mass);

/// Whether t is more than d away from the ends of its stage.
bool is_inside(const BeltExact& exact, double t, double d, Phase phase) {
  for (std::size_t i = 0; i < exact.stages().size(); ++i) {
    const double end = i + 1 < exact.stages().size() ? exact.stages()[i + 1].start : until;
    if (exact.stages()[i].phase == phase && t - d > exact.stages()[i].start && t + d < end) return true;
  }
  return false;
}

TEST(BeltExact, ObeysTheEquationsOfFlight) {
  const BeltExact exact(belt, until);
  const double d = 1e-4;
  int checked = 0;
  for (double t = 0.003; t < 0.7; t += 0.005) {
    if (!is_inside(exact, t, d, Phase::flight)) continue;
    ++checked;
    const double x = exact.x(t);
    const double y = exact.y(t);
    const double r = std::hypot(x, y);
    const double pull = belt.stiffness * (r - belt.length) / belt.mass;
    // Differences of second order and rounding: 1e-16 / d, and d^2 / 6 of the third derivative, at most 100 m/s3.
    EXPECT_NEAR((exact.vx(t + d) - exact.vx(t - d)) / (2 * d), -pull * x / r, 1e-6) << t;
    EXPECT_NEAR((exact.vy(t + d) - exact.vy(t - d)) / (2 * d), -pull * y / r - belt.gravity, 1e-6) << t;
    EXPECT_NEAR((exact.x(t + d) - exact.x(t - d)) / (2 * d), exact.vx(t), 1e-6) << t;
    EXPECT_NEAR((exact.y(t + d) - exact.y(t - d)) / (2 * d), exact.vy(t), 1e-6) << t;
    EXPECT_GT(y, 0.0) << t;
  }
  EXPECT_GT(checked, 100);
}

TEST(BeltExact, KeepsEnergyInFlight) {
  const BeltExact exact(belt, until);
  const auto energy = [&exact](double t) {
    const double stretch = std::hypot(exact.x(t), exact.y(t)) - belt.length;
    return belt.mass * (std::pow(exact.vx(t), 2) + std::pow(exact.vy(t), 2)) / 2 +
           belt.stiffness * stretch * stretch / 2 + belt.mass * belt.gravity * exact.y(t);
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const double start = exact.stages()[i].start;
    const double end = exact.stages()[i + 1].start;
    for (const double part : {0.3, 0.7, 0.999999}) {
      EXPECT_NEAR(energy(start + part * (end - start)), energy(start), 1e-13 * energy(0.0)) << i;
    }
  }
}

TEST(BeltExact, ObeysTheLawsOfImpactAndFriction) {
  const BeltExact exact(belt, until);
  for (std::size_t i = 1; i < 6; ++i) {
    const double t = exact.stages()[i].start;
    const double before = std::nextafter(t, 0.0);
    EXPECT_NEAR(exact.y(t), 0.0, 1e-14);
    EXPECT_NEAR(exact.vy(t), -belt.restitution * exact.vy(before), 1e-13);
    const double normal = exact.vy(t) - exact.vy(before);
    const double tangential = exact.vx(t) - exact.vx(before);
    EXPECT_LE(std::abs(tangential), belt.mu * normal + 1e-13);
    // Friction is strong enough to bring the block to the velocity of the belt.
    EXPECT_NEAR(exact.vx(t), belt.speed, 1e-13);
  }
}

TEST(BeltExact, SlipsBackWhereFrictionOfAnImpactIsTooSmall) {
  const Belt smooth{.mu = 0.1};
  const BeltExact exact(smooth, until);
  const double t = exact.stages()[1].start;
  const double before = std::nextafter(t, 0.0);
  EXPECT_LT(exact.vx(t), smooth.speed);
  EXPECT_NEAR(exact.vx(t) - exact.vx(before), smooth.mu * (exact.vy(t) - exact.vy(before)), 1e-13);
}

TEST(BeltExact, BouncesLikeABallOnAWeakSpring) {
  const Belt ball{.stiffness = 1e-10};
  const BeltExact exact(ball, until);
  const BouncingBallExact free(ball.length * std::sin(ball.angle), ball.restitution, ball.gravity);
  for (int n = 1; n < 10; ++n) {
    EXPECT_NEAR(exact.stages()[n].start, free.impact_time(n), 1e-9);
  }
  EXPECT_NEAR(exact.bouncing_end(), free.accumulation_time(), 1e-9);
}

TEST(BeltExact, MovesAlongWithTheBeltUntilTheSpringPullsTooMuch) {
  const BeltExact exact(belt, until);
  const double start = exact.bouncing_end();
  const double end = exact.first_slip();
  ASSERT_LT(start, end);
  for (double t = start; t < end; t += 0.01) {
    EXPECT_EQ(exact.vx(t), belt.speed);
    EXPECT_NEAR(exact.x(t), exact.x(start) + belt.speed * (t - start), 1e-14);
    EXPECT_EQ(exact.y(t), 0.0);
  }
  EXPECT_NEAR(belt.stiffness * (exact.x(end) - belt.length), belt.mu * belt.mass * belt.gravity, 1e-12);
}

TEST(BeltExact, EndsInALimitCycleThatTouchesTheBelt) {
  const BeltExact exact(belt, until);
  const double start = exact.first_slip();
  EXPECT_EQ(exact.stages().back().phase, Phase::slip);
  EXPECT_EQ(exact.stages().back().start, start)
      << "it goes on slipping where it touches the velocity of the belt";
  for (double t = start; t < until; t += 0.01) {
    EXPECT_NEAR(exact.vx(t), belt.speed * std::cos(omega * (t - start)), 1e-13);
    EXPECT_NEAR(exact.x(t), belt.slip_length() + belt.speed / omega * std::sin(omega * (t - start)), 1e-13);
  }
}

TEST(BeltExact, SlipsToTheVelocityOfTheBeltUnderWeakFriction) {
  // After the bounces the block is slower than the belt, slips harmonically about l + mu m g / k, and is caught.
  const Belt weak{.stiffness = 5.0, .speed = 0.38, .mu = 0.05};
  const BeltExact exact(weak, until);
  const double start = exact.bouncing_end();
  ASSERT_EQ(exact.first_slip(), start);
  double stick = 0.0;
  for (const BeltExact::Stage& stage : exact.stages()) {
    if (stage.phase == Phase::stick) stick = stage.start;
  }
  ASSERT_GT(stick, start);
  EXPECT_NEAR(exact.vx(std::nextafter(stick, 0.0)), weak.speed, 1e-12);
  const double w = std::sqrt(weak.stiffness / weak.mass);
  const double radius = std::hypot(w * (exact.x(start) - weak.slip_length()), exact.vx(start));
  for (double t = start; t < stick; t += 0.01) {
    EXPECT_LE(exact.vx(t), weak.speed);
    EXPECT_NEAR(std::hypot(w * (exact.x(t) - weak.slip_length()), exact.vx(t)), radius, 1e-13);
  }
}

}  // namespace
}  // namespace picus::models
