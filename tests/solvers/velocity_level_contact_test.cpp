// Impacts and friction with constraints at velocity level.

#include "runs.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

namespace picus::velocity_level_contact_test {
namespace {

constexpr double g = 9.81;
constexpr std::array<const char*, 7> all_schemes = {"chen",
                                                    "newmark-implicit",
                                                    "newmark",
                                                    "hht",
                                                    "moreau-jean",
                                                    "moreau-jean:theta=0.5",
                                                    "moreau-jean:dissipates=yes"};

/// The contact normal is z, the friction directions are x and y.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

/// A mass point above a floor at z = 0.
struct Mass {
  Mass(const Vec3& position, const Vec3& velocity, const Vec3& gravity, const ContactLaw& law) {
    node = model.add_point("mass", {.position = position, .velocity = velocity});
    model.add<support::PointMass>({.name = "point mass", .node = node, .gravity = gravity});
    model.add<support::PlaneContact>({.name = "floor", .point = node, .axes = upwards(), .law = law});
  }
  Model model;
  PointNode node;
};

/// Height and velocity of a ball dropped from a height, bounce by bounce.
std::pair<double, double> bounce(double height, double e, double t) {
  double speed = std::sqrt(2 * g * height);
  double left = t - speed / g;
  if (left < 0) return {height - g * t * t / 2, -g * t};
  for (int i = 0; i < 1000; ++i) {
    speed *= e;
    if (left < 2 * speed / g) return {speed * left - g * left * left / 2, speed - g * left};
    left -= 2 * speed / g;
  }
  return {0.0, 0.0};
}

TEST(VelocityLevelContact, ABouncingBallIsOfFirstOrder) {
  const Mass ball({0, 0, 0.5}, Vec3::Zero(), {0, 0, -g}, {.e_n = 0.8, .friction_directions = 0});
  const System system(ball.model);
  for (const char* scheme : all_schemes) {
    std::vector<double> steps, position_errors, velocity_errors;
    for (double h = 0.008; h > 2e-4; h /= 2) {
      double position_error = 0;
      double velocity_error = 0;
      const auto integrator = make_integrator(scheme, {.step = h});
      const int count = static_cast<int>(std::lround(1.6 / h));
      run(system, *integrator, count, [&](const State& state, const StepReport&) {
        const auto [height, speed] = bounce(0.5, 0.8, state.time);
        position_error += std::abs(state.q.position(ball.node).z() - height) / count;
        velocity_error += std::abs(state.v[ball.node.v + 2] - speed) / count;
      });
      steps.push_back(h);
      position_errors.push_back(position_error);
      velocity_errors.push_back(velocity_error);
    }
    // The position of an impact within its step is random, which scatters single errors by a factor.
    EXPECT_NEAR(fitted_order(steps, position_errors), 1.0, 0.25) << scheme;
    EXPECT_NEAR(fitted_order(steps, velocity_errors), 1.0, 0.25) << scheme;
  }
}

TEST(VelocityLevelContact, ReboundsWithTheRestitutionAndPenetratesByTheMotionOfAStepAtMost) {
  for (const char* scheme : all_schemes) {
    for (const double e : {0.0, 0.5, 1.0}) {
      const Mass ball({0, 0, 0.5}, Vec3::Zero(), {0, 0, -g}, {.e_n = e, .friction_directions = 0});
      const System system(ball.model);
      const auto integrator = make_integrator(scheme, {.step = 1e-3});
      double before = 0;
      int impacts = 0;
      run(system, *integrator, 600, [&](const State& state, const StepReport& report) {
        const double speed = state.v[ball.node.v + 2];
        if (before < -1) {
          if (report.closed_contacts > 0) {
            EXPECT_NEAR(speed, -e * before, 1e-7) << scheme;
            ++impacts;
          }
          EXPECT_GE(state.q.position(ball.node).z(), before * 1e-3) << scheme;
        }
        before = speed;
      });
      EXPECT_GE(impacts, 1) << scheme;
    }
  }
}

TEST(VelocityLevelContact, ASlidingMassStopsWhereItShouldAndSticks) {
  // Forces of 2.5 N against mu m g = 2.94 N.
  const Vec3 v_0(1.2, -0.9, 0);
  const Mass block(Vec3::Zero(), v_0, {0, 0, -g}, {.mu = 0.3});
  const Mass held(Vec3::Zero(), Vec3::Zero(), {2.5, 0, -g}, {.mu = 0.3});
  const double distance = v_0.squaredNorm() / (2 * 0.3 * g);
  for (const char* scheme : all_schemes) {
    const State state = run(System(block.model), scheme, {.step = 1e-3}, 0.8);
    EXPECT_NEAR(state.q.position(block.node).norm(), distance, v_0.norm() * 1e-3) << scheme;
    EXPECT_LE(state.v.norm(), 1e-8) << scheme;
    const State stuck = run(System(held.model), scheme, {.step = 1e-3}, 1.0);
    EXPECT_EQ(stuck.contact_state[0], ContactState::stick) << scheme;
    // The velocity is zero to the tolerance, and the motion of the first step remains: a prediction from the last
    // position alone finds the contact open at the start.
    EXPECT_LE(stuck.q.position(held.node).head<2>().norm(), 2.5 * 1e-6) << scheme;
    EXPECT_NEAR(stuck.contact_impulse[1], -2.5e-3, 1e-9) << scheme;
  }
}

TEST(VelocityLevelContact, AcarysVariantImpactsAsNewmark) {
  // Both predict the gap at t_{n+1} with the accelerations of t_n, so that the active sets agree.
  const Mass block({0, 0, 0.2}, {1.2, -0.4, 0}, {0, 0, -g}, {.mu = 0.3, .e_n = 0.6});
  const System system(block.model);
  for (const char* theta : {"0.5", "0.7", "1"}) {
    const SchemeOptions options{.step = 1e-3, .tolerance = 1e-12};
    const State variant = run(system, std::string("moreau-jean:dissipates=yes,theta=") + theta, options, 1.0);
    const State newmark = run(system, std::string("newmark:gamma=") + theta, options, 1.0);
    EXPECT_LE((variant.q.position(block.node) - newmark.q.position(block.node)).norm(), 1e-9) << theta;
    EXPECT_LE((variant.v - newmark.v).norm(), 1e-9) << theta;
    EXPECT_LE((variant.contact_impulse - newmark.contact_impulse).norm(), 1e-9) << theta;
  }
}

/// A point between two plates that close on it.
Model make_pressed_point() {
  Model model;
  const auto ball = model.add_point("ball");
  model.add<support::PointMass>({.name = "mass", .node = ball});
  for (const double side : {1.0, -1.0}) {
    const auto plate = model.add_frame(side > 0 ? "lid" : "floor", {.position = {0, 0, 0.001 * side}});
    model.drive(plate, Component::z, PrescribedMotion::constant_speed(-side));
    model.fix(plate, {Component::x, Component::y, Component::rx, Component::ry, Component::rz});
    Mat3 axes = upwards();
    axes.col(0) *= -side;
    model.add<support::FaceContact>({.name = side > 0 ? "ball under lid" : "ball on floor",
                                     .point = ball,
                                     .face = plate,
                                     .axes = axes,
                                     .law = {.friction_directions = 0}});
  }
  return model;
}

TEST(FullNewton, TakesTheStepsOfNewtonsMethodWhereThatSearchesAlongNone) {
  const Mass block({0, 0, 0.1}, {1.5, 0.4, 0}, {0, 0, -g}, {.mu = 0.3, .e_n = 0.4});
  const System system(block.model);
  for (const std::string scheme : {"chen", "newmark-implicit", "hht", "moreau-jean"}) {
    const auto newton = make_integrator(scheme, {.step = 1e-3});
    const auto plain = make_integrator(scheme + ":solver=full-newton", {.step = 1e-3});
    State state = newton->start(system);
    State other = plain->start(system);
    int impacts = 0;
    for (int i = 0; i < 600; ++i) {
      const StepReport by_newton = newton->step(state);
      const StepReport by_plain = plain->step(other);
      ASSERT_EQ(by_newton.subproblems[0].line_searches, 0) << scheme;
      ASSERT_EQ(by_newton.subproblems[0].iterations, by_plain.subproblems[0].iterations) << scheme;
      ASSERT_EQ((state.v - other.v).lpNorm<Eigen::Infinity>(), 0.0) << scheme << " at " << state.time;
      if (by_plain.closed_contacts > 0) ++impacts;
    }
    EXPECT_GE(impacts, 3) << scheme;
  }
}

// The least violation, a remedy, goes on.
TEST(FullNewton, HasNoRemedies) {
  const Model model = make_pressed_point();
  const System system(model);
  const auto run_with = [&](const std::string& scheme) {
    const auto integrator = make_integrator(scheme, {.step = 1e-3});
    State state = integrator->start(system);
    for (int i = 0; i < 10; ++i) integrator->step(state);
  };
  EXPECT_NO_THROW(run_with("chen"));
  const std::string message = support::message_of<SolverError>([&] { run_with("chen:solver=full-newton"); });
  EXPECT_THAT(message, testing::StartsWith("step from t = 0"));
  EXPECT_THAT(message, testing::HasSubstr("the velocity-level problem was not solved; after "));
}

}  // namespace
}  // namespace picus::velocity_level_contact_test
