// Impacts: a ball on the floor, alone and as a chain.

#include "runs.hpp"
#include <picus/solvers/integrators/schemes.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>

namespace picus::nsga_impact_test {
namespace {

constexpr double g = 9.81;

/// The contact normal is z, the friction directions are x and y.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

struct Ball {
  explicit Ball(double restitution, double mass = 1.0) : e(restitution), m(mass) {
    node = model.add_point("ball", {.position = {0, 0, height}});
    model.add<support::PointMass>({.name = "mass", .node = node, .mass = m, .gravity = {0, 0, -g}});
    model.add<support::PlaneContact>(
        {.name = "floor", .point = node, .axes = upwards(), .law = {.e_n = e, .friction_directions = 0}});
  }

  /// Height and velocity at a time, bounce by bounce.
  std::pair<double, double> exact(double t) const {
    double speed = std::sqrt(2 * g * height);
    double left = t - speed / g;  // time since the first impact
    if (left < 0) return {height - g * t * t / 2, -g * t};
    for (int bounce = 0; bounce < 1000; ++bounce) {
      speed *= e;
      if (left < 2 * speed / g) return {speed * left - g * left * left / 2, speed - g * left};
      left -= 2 * speed / g;
    }
    return {0.0, 0.0};
  }

  static constexpr double height = 0.5;
  double e, m;
  Model model;
  PointNode node;
};

TEST(NsgaImpact, ABouncingBallIsOfFirstOrder) {
  const Ball ball(0.8);
  const System system(ball.model);
  std::vector<double> steps, position_errors, velocity_errors;
  for (double h = 0.008; h > 1e-4; h /= 2) {
    // Mean errors: the position is of first order, and the velocity is wrong by a jump during part of a step.
    double position_error = 0;
    double velocity_error = 0;
    DecoupledNsga integrator({.step = h});
    const int count = static_cast<int>(std::lround(1.6 / h));
    run(system, integrator, count, [&](const State& state, const StepReport&) {
      const auto [height, speed] = ball.exact(state.time);
      position_error += std::abs(state.q.position(ball.node).z() - height) / count;
      velocity_error += std::abs(state.v[ball.node.v + 2] - speed) / count;
    });
    steps.push_back(h);
    position_errors.push_back(position_error);
    velocity_errors.push_back(velocity_error);
  }
  // The position of an impact within its step is random: single errors scatter by a factor, the slope over seven
  // halvings by about a tenth.
  EXPECT_NEAR(fitted_order(steps, position_errors), 1.0, 0.25);
  EXPECT_NEAR(fitted_order(steps, velocity_errors), 1.0, 0.25);
}

TEST(NsgaImpact, ReboundsWithTheRestitutionAndNeverPenetrates) {
  for (const double e : {0.0, 0.3, 0.8, 1.0}) {
    const Ball ball(e);
    const System system(ball.model);
    DecoupledNsga integrator({.step = 1e-3});
    double speed_before = 0;
    double lowest = 1;
    int impacts = 0;
    run(system, integrator, 1500, [&](const State& state, const StepReport& report) {
      const double speed = state.v[ball.node.v + 2];
      lowest = std::min(lowest, state.q.position(ball.node).z());
      if (report.closed_contacts > 0) {
        ++impacts;
        // The tolerance for the speeds in the step, before and as predicted, and its rounding level.
        const double tolerance = 1.01e-8 * (std::abs(speed_before) + 2 * g * 1e-3);
        EXPECT_NEAR(speed, -e * std::min(0.0, speed_before), tolerance) << "e = " << e;
      }
      speed_before = speed;
    });
    EXPECT_GE(impacts, 1);
    EXPECT_GE(lowest, -1e-8 * 1e-3 * 4) << "the tolerance of the motion over a step";
  }
}

// Restitution acts on closing rates. This ball rises and is brought back to the floor by gravity within the step, at
// less than g h; e times its upward speed would throw it below the floor.
TEST(NsgaImpact, ABallThatRisesIsNotThrownDown) {
  for (const char* scheme : {"ds", "dsn", "ds-np", "ds-a", "cs"}) {
    for (const double rising : {0.02, 0.09}) {
      Model model;
      const PointNode node = model.add_point("ball", {.position = {0, 0, 1e-5}, .velocity = {0, 0, rising}});
      model.add<support::PointMass>({.name = "mass", .node = node, .mass = 1.0, .gravity = {0, 0, -9.81}});
      model.add<support::PlaneContact>(
          {.name = "floor", .point = node, .axes = upwards(), .law = {.e_n = 0.8, .friction_directions = 0}});
      const System system(model);
      const auto integrator = make_integrator(scheme, {.step = 1e-2});
      run(system, *integrator, 5, [&](const State& state, const StepReport& report) {
        if (report.closed_contacts == 0) return;
        EXPECT_GE(state.v[node.v + 2], -1e-8) << scheme << ", " << rising << " m/s, " << state.time << " s";
      });
    }
  }
}

TEST(NsgaImpact, ComesToRestAfterInfinitelyManyImpacts) {
  const Ball ball(0.5);
  const System system(ball.model);
  DecoupledNsga integrator({.step = 1e-3});
  const State state = run(system, integrator, 2000, [&](const State& now, const StepReport& report) {
    if (now.time < 1.2) return;  // the impacts accumulate at 0.96 s
    EXPECT_EQ(report.closed_contacts, 1);
    EXPECT_NEAR(now.contact_impulse[0], ball.m * g * 1e-3, 1e-10) << "the floor carries the weight";
  });
  EXPECT_NEAR(state.q.position(ball.node).z(), 0.0, 1e-12);
  EXPECT_NEAR(state.v[ball.node.v + 2], 0.0, 1e-10);
}

TEST(NsgaImpact, ImpulsesAndWeightAddUpToTheChangeOfMomentum) {
  const Ball ball(0.7, 2.5);
  const System system(ball.model);
  DecoupledNsga integrator({.step = 2e-3});
  double impulse = 0;
  run(system, integrator, 800, [&](const State& state, const StepReport&) {
    impulse += state.contact_impulse[0];
    const double momentum = ball.m * state.v[ball.node.v + 2];
    // Each step is solved to 1e-8 of the momentum of a few N s.
    EXPECT_NEAR(impulse - ball.m * g * state.time, momentum, 1e-7);
  });
  EXPECT_GT(impulse, ball.m);
}

TEST(NsgaImpact, ElasticImpactsKeepTheEnergy) {
  const Ball ball(1.0);
  const System system(ball.model);
  DecoupledNsga integrator({.step = 1e-3}, {.rho_inf = 1.0});
  const double energy = g * ball.height;
  run(system, integrator, 5000, [&](const State& state, const StepReport& report) {
    const double speed = state.v[ball.node.v + 2];
    const double now = speed * speed / 2 + g * state.q.position(ball.node).z();
    // The position is corrected to the floor within the step of an impact: g times up to h v each.
    EXPECT_NEAR(now, energy, 0.2 * energy) << report.closed_contacts;
  });
}

TEST(NsgaImpact, ACollisionOfTwoBallsConservesMomentumAndRestitutes) {
  Model model;
  const auto left = model.add_frame("left", {.velocity = {2, 0, 0}});
  const auto right = model.add_point("right", {.position = {0.1, 0, 0}, .velocity = {-1, 0, 0}});
  model.add<support::OffsetBody>({.name = "mass of left", .node = left, .mass = 3});
  model.add<support::PointMass>({.name = "mass of right", .node = right, .mass = 1});
  model.add<support::FaceContact>({.name = "contact", .point = right, .face = left, .law = {.e_n = 0.6}});
  const System system(model);
  const State state = run(system, {.step = 1e-3}, 0.1);
  const double u = state.v[left.v];
  const double w = state.v[right.v];
  EXPECT_NEAR(3 * u + w, 3 * 2 - 1, 1e-7);
  EXPECT_NEAR(w - u, 0.6 * 3, 1e-7);
}

TEST(NsgaImpact, AContactThatStaysOpenChangesNothing) {
  const auto free_fall = [](bool with_floor) {
    Model model;
    const auto node = model.add_point("ball", {.position = {0, 0, 1}, .velocity = {1, 2, 3}});
    model.add<support::PointMass>({.name = "mass", .node = node, .gravity = {0, 0, -g}});
    if (with_floor) {
      model.add<support::PlaneContact>(
          {.name = "floor", .point = node, .origin = {0, 0, -100}, .axes = upwards(), .law = {.mu = 0.3}});
    }
    return run(System(model), {.step = 1e-3}, 0.5);
  };
  const State with = free_fall(true);
  const State without = free_fall(false);
  EXPECT_EQ(with.q, without.q);
  EXPECT_EQ(with.v, without.v);
}

}  // namespace
}  // namespace picus::nsga_impact_test
