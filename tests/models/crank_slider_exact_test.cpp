#include <picus/models/references/crank_slider_exact.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::models::crank_slider_exact_test {
namespace {

constexpr CrankSliderExact::Parameters chen{.crank_length = 0.153,
                                            .rod_length = 0.306,
                                            .crank_mass = 0.038,
                                            .rod_mass = 0.038,
                                            .slider_mass = 0.076,
                                            .crank_inertia = 7.4e-5,
                                            .rod_inertia = 5.9e-4,
                                            .clearance = 0.001,
                                            .restitution = 0.4,
                                            .gravity = 10.0,
                                            .crank_speed = 150.0,
                                            .rod_speed = -75.0};

/// Angle of the rod and its rate, from the solution for crank and slider.
double rod_angle(const CrankSliderExact& exact, double t) {
  return std::asin((exact.slider_y(t) - chen.crank_length * std::sin(exact.crank_angle(t))) /
                   chen.rod_length);
}

/// The Lagrangian from the velocities of the three centres.
double lagrangian(const std::array<double, 4>& s) {
  const auto& [a, b, u, v] = s;
  const auto half_square = [](double vx, double vy) { return 0.5 * (vx * vx + vy * vy); };
  const double pin_vx = -chen.crank_length * std::sin(a) * u;
  const double pin_vy = chen.crank_length * std::cos(a) * u;
  const double arm_vx = -chen.rod_length * std::sin(b) * v;
  const double arm_vy = chen.rod_length * std::cos(b) * v;
  const double kinetic = chen.crank_mass * half_square(0.5 * pin_vx, 0.5 * pin_vy) +
                         chen.rod_mass * half_square(pin_vx + 0.5 * arm_vx, pin_vy + 0.5 * arm_vy) +
                         chen.slider_mass * half_square(pin_vx + arm_vx, pin_vy + arm_vy) +
                         0.5 * chen.crank_inertia * u * u + 0.5 * chen.rod_inertia * v * v;
  const double pin_y = chen.crank_length * std::sin(a);
  const double arm_y = chen.rod_length * std::sin(b);
  return kinetic - chen.gravity * (chen.crank_mass * 0.5 * pin_y + chen.rod_mass * (pin_y + 0.5 * arm_y) +
                                   chen.slider_mass * (pin_y + arm_y));
}

double derivative(std::array<double, 4> s, std::size_t i) {
  const double d = 1e-4 * std::max(1.0, std::abs(s[i]));
  s[i] += d;
  const double after = lagrangian(s);
  s[i] -= 2.0 * d;
  return (after - lagrangian(s)) / (2.0 * d);
}

class CrankSliderExactTest : public testing::Test {
 protected:
  const CrankSliderExact exact{chen, 0.15};

  std::array<double, 4> state(double t) const {
    const double d = 1e-7;
    return {exact.crank_angle(t), rod_angle(exact, t), exact.crank_speed(t),
            (rod_angle(exact, t + d) - rod_angle(exact, t - d)) / (2.0 * d)};
  }
};

TEST_F(CrankSliderExactTest, ObeysLagrangesEquationsBeforeTheFirstImpact) {
  const double d = 1e-6;
  for (double t = 1e-4; t < 2.6e-3; t += 1e-4) {
    for (const std::size_t i : {0U, 1U}) {
      const double inertial = (derivative(state(t + d), 2 + i) - derivative(state(t - d), 2 + i)) / (2.0 * d);
      const double force = derivative(state(t), i);
      // Momenta of 0.5 N m s with the errors of three nested differences, over forces of up to 100 N m.
      EXPECT_NEAR(inertial, force, 2e-2) << "t = " << t;
    }
  }
}

TEST_F(CrankSliderExactTest, KeepsItsEnergyButAtImpacts) {
  const double start = exact.energy(0.0);
  // Runge-Kutta steps of 1e-5 s lose 5e-11 J of 7.5 J up to there, and 200 times less with steps of 2.5e-6 s.
  for (double t = 0.0; t < 2.69e-3; t += 1e-5) EXPECT_NEAR(exact.energy(t), start, 1e-10);
  double before = start;
  for (double t = 0.0; t < 0.15; t += 1e-5) {
    ASSERT_LE(exact.energy(t), before + 1e-10) << "t = " << t;
    before = exact.energy(t);
  }
  CrankSliderExact::Parameters elastic = chen;
  elastic.restitution = 1.0;
  const CrankSliderExact lossless(elastic, 0.05);
  EXPECT_GE(lossless.impacts().size(), 5U);
  EXPECT_NEAR(lossless.energy(0.05), lossless.energy(0.0), 1e-9);
}

TEST_F(CrankSliderExactTest, StaysBetweenTheGuides) {
  for (double t = 0.0; t < 0.15; t += 1e-6) ASSERT_LE(std::abs(exact.slider_y(t)), 0.001 + 1e-12);
}

TEST_F(CrankSliderExactTest, EachImpactReversesTheVelocityByRestitution) {
  const double eps = 1e-10;
  int count = 0;
  for (const CrankSliderExact::Impact& impact : exact.impacts()) {
    if (impact.speed < 0.1) continue;
    ++count;
    const double side = impact.is_upper ? 1.0 : -1.0;
    EXPECT_NEAR(exact.slider_y(impact.time), 0.001 * side, 1e-12);
    EXPECT_NEAR(exact.slider_vy(impact.time - eps), side * impact.speed, 1e-5);
    EXPECT_NEAR(exact.slider_vy(impact.time + eps), -0.4 * side * impact.speed, 1e-5);
  }
  EXPECT_GT(count, 15);
}

TEST_F(CrankSliderExactTest, RestsOnAGuideUntilTheForceEnds) {
  ASSERT_FALSE(exact.releases().empty());
  const double release = exact.releases().front();
  for (double t = release - 1e-3; t < release; t += 1e-5) {
    EXPECT_NEAR(exact.slider_y(t), 0.001, 1e-12);
    EXPECT_NEAR(exact.slider_vy(t), 0.0, 1e-9);
  }
  EXPECT_LT(exact.slider_y(release + 1e-3), 0.001 - 1e-6);
}

TEST(CrankSliderExact, MirrorsWithTheCrankAndWithoutGravity) {
  CrankSliderExact::Parameters up = chen;
  up.gravity = 0.0;
  CrankSliderExact::Parameters down = up;
  down.crank_speed = -up.crank_speed;
  down.rod_speed = -up.rod_speed;
  const CrankSliderExact a(up, 0.05);
  const CrankSliderExact b(down, 0.05);
  for (double t = 0.0; t < 0.05; t += 1e-4) {
    EXPECT_NEAR(a.slider_y(t), -b.slider_y(t), 1e-12);
    EXPECT_NEAR(a.slider_x(t), b.slider_x(t), 1e-12);
    EXPECT_NEAR(a.crank_speed(t), -b.crank_speed(t), 1e-7);
  }
}

CrankSliderExact::Parameters driven_without_clearance() {
  CrankSliderExact::Parameters p = chen;
  p.clearance = 0.0;
  p.crank_angle = 0.7;
  p.rod_angle = -std::asin(p.crank_length * std::sin(p.crank_angle) / p.rod_length);
  p.crank_speed = 20.0;
  p.rod_speed =
      -p.crank_speed * p.crank_length * std::cos(p.crank_angle) / (p.rod_length * std::cos(p.rod_angle));
  p.torque = 2.0;
  return p;
}

TEST(CrankSliderExact, WithoutClearanceTheSliderKeepsItsHeight) {
  const CrankSliderExact exact(driven_without_clearance(), 0.2);
  EXPECT_GT(exact.crank_angle(0.2), 4.0);
  // The constraint is integrated as an acceleration.
  for (double t = 0.0; t < 0.2; t += 1e-3) EXPECT_NEAR(exact.slider_y(t), 0.0, 1e-10) << "t = " << t;
}

TEST(CrankSliderExact, TheTorqueDoesAllTheWork) {
  const CrankSliderExact exact(driven_without_clearance(), 0.2);
  for (double t = 0.0; t < 0.2; t += 1e-3) {
    const double work = 2.0 * (exact.crank_angle(t) - 0.7);
    // Error of the Runge-Kutta steps, 1e-10 of the final 49 J.
    EXPECT_NEAR(exact.energy(t) - exact.energy(0.0), work, 2e-8) << "t = " << t;
  }
}

TEST(CrankSliderExact, TheGuideForceBalancesTheMomentumAlongY) {
  const CrankSliderExact::Parameters p = driven_without_clearance();
  const CrankSliderExact exact(p, 0.2);
  const double d = 1e-5;
  for (double t = 0.01; t < 0.19; t += 1e-2) {
    // The rod rotates about its centre under the forces at its ends: moments about the crank pin, which itself is
    // accelerated.
    const auto rod_momentum = [&](double s) {
      return (p.rod_inertia + 0.25 * p.rod_mass * p.rod_length * p.rod_length) * exact.rod_speed(s);
    };
    const auto pin_velocity = [&](double s) {
      const double speed = p.crank_length * exact.crank_speed(s);
      return std::array{-speed * std::sin(exact.crank_angle(s)), speed * std::cos(exact.crank_angle(s))};
    };
    const auto slider_velocity = [&](double s) {
      return (exact.slider_x(s + d) - exact.slider_x(s - d)) / (2.0 * d);
    };
    const double beta = exact.rod_angle(t);
    const double arm_x = p.rod_length * std::cos(beta);
    const double arm_y = p.rod_length * std::sin(beta);
    const double pin_ax = (pin_velocity(t + d)[0] - pin_velocity(t - d)[0]) / (2.0 * d);
    const double pin_ay = (pin_velocity(t + d)[1] - pin_velocity(t - d)[1]) / (2.0 * d);
    const double slider_ax = (slider_velocity(t + d) - slider_velocity(t - d)) / (2.0 * d);
    const double turning = (rod_momentum(t + d) - rod_momentum(t - d)) / (2.0 * d);
    const double inertia =
        turning + 0.5 * p.rod_mass * (arm_x * pin_ay - arm_y * pin_ax) - arm_y * p.slider_mass * slider_ax;
    const double weights = -p.gravity * arm_x * (0.5 * p.rod_mass + p.slider_mass);
    const double force = exact.guide_force(t);
    EXPECT_NEAR(arm_x * force, inertia - weights, 1e-4 * (std::abs(inertia) + 1.0)) << "t = " << t;
  }
}

TEST(CrankSliderExact, FrictionTakesTheWorkOfItsForce) {
  CrankSliderExact::Parameters p = chen;
  p.mu = 0.3;
  const CrankSliderExact exact(p, 0.06);
  ASSERT_FALSE(exact.releases().empty());
  // On the guide before the first release: dE/dt = -mu |lambda| |x'|.
  const double release = exact.releases().front();
  const double d = 1e-6;
  int count = 0;
  for (double t = release - 2e-3; t < release - 1e-4; t += 1e-4) {
    if (std::abs(exact.slider_vy(t)) > 1e-9) continue;
    const double power = (exact.energy(t + d) - exact.energy(t - d)) / (2.0 * d);
    const double x_rate = (exact.slider_x(t + d) - exact.slider_x(t - d)) / (2.0 * d);
    EXPECT_NEAR(power, -0.3 * std::abs(exact.guide_force(t) * x_rate), 1e-4 * std::abs(power)) << "t = " << t;
    ++count;
  }
  EXPECT_GT(count, 10);
}

TEST(CrankSliderExact, AnImpactWithFrictionChangesTheMomentumOfTheWholeMechanism) {
  CrankSliderExact::Parameters p = chen;
  p.mu = 0.3;
  const CrankSliderExact exact(p, 5e-3);
  const double t = exact.impacts().front().time;
  const double d = 1e-9;
  // Canonical momenta dL/dq' jump by n^T L and t^T T, here with T = -mu |L| sign(x').
  const auto momenta = [&](double s) {
    const double rod = exact.rod_angle(s);
    const std::array<double, 4> state = {exact.crank_angle(s), rod, exact.crank_speed(s), exact.rod_speed(s)};
    return std::array{derivative(state, 2), derivative(state, 3)};
  };
  const auto before = momenta(t - d);
  const auto after = momenta(t + d);
  const double a = exact.crank_angle(t);
  const double b = exact.rod_angle(t);
  const double n_1 = p.crank_length * std::cos(a), n_2 = p.rod_length * std::cos(b);
  const double t_1 = -p.crank_length * std::sin(a), t_2 = -p.rod_length * std::sin(b);
  const double determinant = n_1 * t_2 - n_2 * t_1;
  const double jump_1 = after[0] - before[0];
  const double jump_2 = after[1] - before[1];
  const double normal = (jump_1 * t_2 - jump_2 * t_1) / determinant;
  const double tangential = (n_1 * jump_2 - n_2 * jump_1) / determinant;
  EXPECT_LT(normal, 0.0);                                  // the upper guide pushes down
  EXPECT_LT(exact.slider_x(t + 1e-6), exact.slider_x(t));  // the slider moves to -x
  EXPECT_NEAR(tangential, -0.3 * normal, 1e-4 * std::abs(normal));
}

}  // namespace
}  // namespace picus::models::crank_slider_exact_test
