/// Resistance of a contact to drilling and to rolling, compared with exact solutions.

#include "balls.hpp"
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace picus::resistance_test {
namespace {

constexpr Ball ball;
const Vec3 up = Vec3::UnitZ();

/// A ball on the floor, or on a slope in the axes of the slope.
struct Table {
  struct Options {
    Vec3 velocity = Vec3::Zero();
    Vec3 omega = Vec3::Zero();
    double mu = 0.3;
    double drilling_radius = 0.0;
    double rolling_arm = 0.0;
    double slope = 0.0;
  };
  explicit Table(const Options& o) {
    node = add_ball(model, "ball", ball, ball.radius * up, o.velocity, o.omega);
    add_weight(model, {node}, ball, g * Vec3(std::sin(o.slope), 0, -std::cos(o.slope)));
    model.add<SphereToFaceContact>({.name = "table",
                                    .centre = node,
                                    .radius = ball.radius,
                                    .face = {.normal = up},
                                    .mu = o.mu,
                                    .drilling_radius = o.drilling_radius,
                                    .rolling_arm = o.rolling_arm});
  }
  Model model;
  FrameNode node;
};

// Drilling torque epsilon mu m g about the normal, inertia 2/5 m r^2: it stops at t = 2 r^2 omega_0/(5 epsilon mu g),
// whether or not that is the end of a step, and stays at rest. Forces are constant, so rates are exact up to the
// tolerance of the solver.
TEST(Resistance, ABallThatSpinsDrillsToRestInItsTime) {
  constexpr double omega_0 = 40.0;
  constexpr double radius = 2e-3;
  const double slowing = 2.5 * radius * 0.3 * g / (ball.radius * ball.radius);
  const double stop = omega_0 / slowing;
  for (const std::string scheme : {"ds", "cs", "chen", "moreau-jean"}) {
    for (const double part : {0.0, 0.5}) {  // fraction of a step at which it stops
      const Table table({.omega = omega_0 * up, .drilling_radius = radius});
      const System system(table.model);
      const double h = stop / (200 + part);
      const auto integrator = make_integrator(scheme, {.step = h});
      State state = integrator->start(system);
      EnergyAudit audit(system, state);
      for (int i = 1; i <= 260; ++i) {
        integrator->step(state);
        audit.add_step(state, h, integrator->step_forces());
        const double exact = std::max(0.0, omega_0 - slowing * state.time);
        EXPECT_NEAR(angular_velocity(state, table.node).z(), exact, 1e-6 * omega_0)
            << scheme << ", step " << i;
        // To the tolerance, of the speeds of the model.
        EXPECT_LT(velocity(state, table.node).norm(), 1e-8 * omega_0 * ball.radius) << scheme;
      }
      // All energy was dissipated by friction. (The audit uses impulses times mean rates, which is exact here.)
      const double energy = 0.2 * ball.mass * ball.radius * ball.radius * omega_0 * omega_0;
      EXPECT_NEAR(audit.energies(state).work_of_friction, -energy, 1e-6 * energy) << scheme;
    }
  }
}

// Rolling torque c m g, inertia 7/5 m r^2 about the contact: a = 5 c g/(7 r), it stops after v_0^2/(2 a).
TEST(Resistance, ABallThatRollsStopsAfterItsWay) {
  constexpr double v_0 = 0.4;
  constexpr double arm = 1e-3;
  const double a = 5.0 / 7 * arm * g / ball.radius;
  const double stop = v_0 / a;
  const Vec3 along = Vec3(2, -1, 0).normalized();
  for (const std::string scheme : {"ds", "cs", "chen", "moreau-jean"}) {
    for (const double part : {0.0, 0.5}) {
      const Table table(
          {.velocity = v_0 * along, .omega = v_0 / ball.radius * up.cross(along), .rolling_arm = arm});
      const System system(table.model);
      const double h = stop / (500 + part);
      const auto integrator = make_integrator(scheme, {.step = h});
      State state = integrator->start(system);
      for (int i = 1; i <= 600; ++i) {
        integrator->step(state);
        const double exact = std::max(0.0, v_0 - a * state.time);
        // In a scheme that solves rates and rotation of the axes alternately the remainder is of the order of a step.
        EXPECT_NEAR(velocity(state, table.node).dot(along), exact, 1e-6 * v_0) << scheme << ", step " << i;
        EXPECT_NEAR(angular_velocity(state, table.node).dot(up.cross(along)), exact / ball.radius,
                    1e-6 * v_0 / ball.radius);
        EXPECT_EQ(state.contact_state[0], ContactState::stick) << scheme << ", step " << i;
      }
      const Vec3 way = state.q.position(table.node) - ball.radius * up;
      EXPECT_NEAR(way.dot(along), v_0 * v_0 / (2 * a), v_0 * h)
          << scheme << ": to within the motion of a step";
      EXPECT_LT(way.cross(along).norm(), 1e-6 * way.norm());
    }
  }
}

// On a slope it stays if tan(slope) < c/r, and otherwise rolls with 5/7 g (sin - c/r cos).
TEST(Resistance, ABallOnASlopeStaysOrRollsAsTheArmSays) {
  constexpr double arm = 3e-3;
  for (const double part : {0.5, 0.99, 1.01, 2.0}) {
    const double slope = std::atan(part * arm / ball.radius);
    const Table table({.rolling_arm = arm, .slope = slope});
    const State end = run(table.model, 1e-3, 0.5);
    const double a = std::max(0.0, 5.0 / 7 * g * (std::sin(slope) - arm / ball.radius * std::cos(slope)));
    EXPECT_NEAR(velocity(end, table.node).x(), 0.5 * a, 1e-8) << part;
    EXPECT_NEAR(angular_velocity(end, table.node).y(), 0.5 * a / ball.radius, 1e-6) << part;
  }
}

// Contensou: sliding and drilling share the friction. With w = epsilon omega, R = |(v_s, w)|: dv_s/dt = -7/2 mu g
// v_s/R, dw/dt = -5/2 mu g (epsilon/r)^2 w/R, and therefore w ~ v_s^p, p = 5/7 (epsilon/r)^2, throughout.
double error_of_contensou(double h) {
  constexpr double radius = 0.8 * ball.radius;
  const Vec3 v_0(0.5, 0, 0);
  constexpr double omega_0 = 30.0;
  const Table table({.velocity = v_0, .omega = omega_0 * up, .drilling_radius = radius});
  const double power = 5.0 / 7 * 0.8 * 0.8;
  double worst = 0.0;
  run(table.model, h, 0.05, [&](const State& state, const StepReport&) {
    const Vec3 slip =
        velocity(state, table.node) - ball.radius * angular_velocity(state, table.node).cross(up);
    const double expected = omega_0 * std::pow(slip.norm() / v_0.norm(), power);
    worst = std::max(worst, std::abs(angular_velocity(state, table.node).z() / expected - 1));
  });
  return worst;
}

TEST(Resistance, SlidingAndDrillingShareTheFriction) {
  const double coarse = error_of_contensou(1e-3);
  const double fine = error_of_contensou(2.5e-4);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(std::log2(coarse / fine) / 2, 0.95);
}

// A fast spinning ball slides under the smallest force: its transverse friction is small. Without spin it would stay.
TEST(Resistance, AFastSpinLetsABallOnASlopeGo) {
  constexpr double slope = 0.05;  // less than mu
  const auto speed = [&](double drilling_radius) {
    const Table table({.omega = 100 * up, .drilling_radius = drilling_radius, .slope = slope});
    const State end = run(table.model, 1e-4, 0.01);
    return (velocity(end, table.node) - ball.radius * angular_velocity(end, table.node).cross(up)).x();
  };
  EXPECT_LT(std::abs(speed(0.0)), 1e-7);
  // Slow sliding: friction is a damper mu m g v_s/(epsilon omega), so that v_s tends to a limit with the rate of decay
  // 7/2 mu g/(epsilon omega). In 10 ms the spin falls by 0.08 of 100 rad/s.
  constexpr double w = 1e-3 * 100;
  const double limit = 2.0 / 7 * w * std::tan(slope) / 0.3;
  const double expected = limit * -std::expm1(-3.5 * 0.3 * g * std::cos(slope) / w * 0.01);
  EXPECT_NEAR(speed(1e-3), expected, 5e-3 * expected);
}

// Friction impulses never do positive work on a body, at the rates that result from them.
TEST(Resistance, DissipationIsNeverNegative) {
  for (const std::string scheme : {"ds", "chen"}) {
    Model model;
    const Vec3 spin(10, -25, 40);
    const FrameNode node = add_ball(model, "ball", ball, 2 * ball.radius * up, {0.7, 0.2, -0.5}, spin);
    add_weight(model, {node}, ball, -g * up);
    model.add<SphereToFaceContact>({.name = "table",
                                    .centre = node,
                                    .radius = ball.radius,
                                    .face = {.normal = up},
                                    .mu = 0.2,
                                    .e_n = 0.6,
                                    .drilling_radius = 3e-3,
                                    .rolling_arm = 1e-3});
    const System system(model);
    const auto integrator = make_integrator(scheme, {.step = 1e-3});
    State state = integrator->start(system);
    int closed = 0;
    for (int i = 0; i < 3000; ++i) {
      integrator->step(state);
      if (state.contact_state[0] == ContactState::gap) continue;
      ++closed;
      const Vector P = state.contact_impulse;
      ASSERT_EQ(P.size(), 6);
      const double unit = ball.mass * 1e-3;  // J: m v^2 at 3 cm/s
      EXPECT_LE(P.segment<3>(1).dot(state.contact_rate.segment<3>(1)), 1e-8 * unit) << scheme;
      EXPECT_LE(P.tail<2>().dot(state.contact_rate.tail<2>()), 1e-8 * unit) << scheme;
      EXPECT_LE(P.segment<3>(1).norm(), 0.2 * P[0] * (1 + 1e-6));
      EXPECT_LE(P.tail<2>().norm(), 0.2 * P[0] * (1 + 1e-6));
    }
    EXPECT_GT(closed, 1000) << scheme;
    EXPECT_LT(velocity(state, node).norm() + angular_velocity(state, node).norm(), 1e-6) << scheme;
  }
}

}  // namespace
}  // namespace picus::resistance_test
