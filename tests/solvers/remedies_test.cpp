// The solution of a sub-problem with its remedies: their order, acceptance above tolerance, and jams for which no
// impact law is feasible.

#include "one_step.hpp"
#include "runs.hpp"
#include <picus/error.hpp>
#include <picus/solvers/integrators/remedies.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/rods.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::remedies_test {
namespace {

constexpr FallbackPolicy none = {.smaller_scaling = false,
                                 .other_first_guess = false,
                                 .interior_point = false,
                                 .no_restitution = false,
                                 .smallest_feasible_shift = false,
                                 .accepted_residual = 1};

/// A ball on a rod that is thrown obliquely at a plane.
class RemediesOfOneSolve : public testing::Test {
 protected:
  RemediesOfOneSolve() {
    ball = model.add_point("ball", {.position = {0, 0, 0.01}, .velocity = {1, 0.5, -2}});
    model.add<support::PointMass>({.name = "mass", .node = ball, .gravity = {0, 0, -9.81}});
    const auto pivot = model.add_point("pivot", {.position = {-0.3, 0, 0.41}});
    model.fix(pivot);
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = ball, .length = 0.5});
    model.add<support::PlaneContact>(
        {.name = "floor", .point = ball, .axes = support::axes_of({0, 0, 1}), .law = {.mu = 0.3}});
  }

  /// Solves the position problem of a step with this many iterations per solve.
  NewtonReport solve(OneStep& step, const FallbackPolicy& policy, int max_iterations,
                     bool may_accept = true) {
    EXPECT_TRUE(step.solve_smooth().converged);
    const Vector zero = Vector::Zero(step.system.contact_row_count());
    const SolveSetting setting{.newton = {.max_iterations = max_iterations},
                               .policy = policy,
                               .no_multiplier = &zero,
                               .first_guess = &zero,
                               .other_guess = &zero,
                               .may_accept = may_accept};
    NewtonWorkspace work(step.position.size());
    const auto solver = OneStep::make_solver(step.position);
    ContactSweeps sweeps;
    report = {};
    return RemediedSolve(step.position, {*solver, work, sweeps}, setting, report, report.subproblems[1])
        .solve([&] { step.position.begin(); });
  }
  int used(Fallback fallback) const { return count_of(report, fallback); }
  double worst_residual(OneStep& step) const {
    Vector r(step.position.size());
    return step.position.evaluate(r).worst;
  }

  Model model;
  PointNode ball;
  StepReport report;
};

TEST_F(RemediesOfOneSolve, AnIterateIsAcceptedUpToTheFactorAndTold) {
  OneStep step(model, 0.02);
  FallbackPolicy policy = none;
  policy.accepted_residual = std::numeric_limits<double>::max();
  const NewtonReport accepted = solve(step, policy, 1);
  EXPECT_TRUE(accepted.converged);
  EXPECT_EQ(used(Fallback::accepted), 1);
  EXPECT_GT(report.accepted_residual, 1.0);
  EXPECT_EQ(report.subproblems[1].residual, report.accepted_residual);
  // It is the residual of the final iterate, and the smallest of all iterates.
  EXPECT_EQ(worst_residual(step), report.accepted_residual);
  OneStep other(model, 0.02);
  ASSERT_TRUE(other.solve_smooth().converged);
  other.position.begin();
  EXPECT_LE(report.accepted_residual, worst_residual(other));

  const double residual = report.accepted_residual;
  policy.accepted_residual = 1.001 * residual;
  EXPECT_TRUE(solve(step, policy, 1).converged);
  EXPECT_EQ(report.accepted_residual, residual);

  policy.accepted_residual = 0.999 * residual;
  EXPECT_FALSE(solve(step, policy, 1).converged);
  EXPECT_EQ(used(Fallback::accepted), 0);
  EXPECT_EQ(report.accepted_residual, 0.0);
}

TEST_F(RemediesOfOneSolve, NothingIsAcceptedWhereAShorterStepMayFollow) {
  OneStep step(model, 0.02);
  FallbackPolicy policy = none;
  policy.accepted_residual = std::numeric_limits<double>::max();
  EXPECT_FALSE(solve(step, policy, 1, false).converged);
  EXPECT_EQ(used(Fallback::accepted), 0);
}

TEST_F(RemediesOfOneSolve, WhatIsSolvedNeedsNone) {
  OneStep step(model, 0.02);
  EXPECT_TRUE(solve(step, {}, 25).converged);
  EXPECT_EQ(report.fallbacks, (std::array<int, max_fallbacks>{}));
  EXPECT_EQ(report.accepted_residual, 0.0);
}

TEST_F(RemediesOfOneSolve, AllAreTriedInTurnWhereNoneHelps) {
  // A ceiling below the floor; at position level there is no restitution to leave out.
  model.add<support::PlaneContact>({.name = "ceiling",
                                    .point = ball,
                                    .origin = {0, 0, -0.1},
                                    .axes = support::axes_of({0, 0, -1}),
                                    .law = {.mu = 0.3}});
  OneStep step(model, 0.02);
  const NewtonReport failed = solve(step, {.smallest_feasible_shift = false}, 25);
  EXPECT_FALSE(failed.converged);
  EXPECT_EQ(report.fallbacks, (std::array<int, max_fallbacks>{1, 1, 1, 0, 0, 0, 0}));
  EXPECT_GT(failed.residual.worst, 1000.0);
  // Both are violated alike.
  EXPECT_THAT(step.position.describe(failed.residual.where), testing::ContainsRegex("floor|ceiling"));
}

// A ceiling 1 mm below the floor: effective masses are equal, and so are the shares.
TEST_F(RemediesOfOneSolve, WhatContradictsItselfIsLeftOpenByTheLeast) {
  Model narrow;
  const PointNode node = narrow.add_point("ball", {.position = {0, 0, 0.01}, .velocity = {1, 0.5, -2}});
  narrow.add<support::PointMass>({.name = "mass", .node = node, .gravity = {0, 0, -9.81}});
  narrow.add<support::PlaneContact>({.name = "floor", .point = node, .axes = support::axes_of({0, 0, 1})});
  narrow.add<support::PlaneContact>(
      {.name = "ceiling", .point = node, .origin = {0, 0, -1e-3}, .axes = support::axes_of({0, 0, -1})});
  OneStep step(narrow, 0.02);
  const NewtonReport solved = solve(step, {}, 25);
  EXPECT_TRUE(solved.converged);
  EXPECT_EQ(report.fallbacks, (std::array<int, max_fallbacks>{1, 1, 1, 0, 1, 0, 0}));
  EXPECT_EQ(report.accepted_residual, 0.0);
  EXPECT_NEAR(step.data.q.position(node).z(), -5e-4, 1e-8);
  EXPECT_THAT(report.culprit, testing::AnyOf(testing::HasSubstr("ceiling"), testing::HasSubstr("floor")));
}

TEST_F(RemediesOfOneSolve, ANumberThatIsNoneIsNeverAccepted) {
  OneStep step(model, 0.02);
  ASSERT_TRUE(step.solve_smooth().converged);
  step.data.dq_smooth[2] = std::numeric_limits<double>::quiet_NaN();
  FallbackPolicy policy;
  policy.accepted_residual = std::numeric_limits<double>::max();
  const Vector zero = Vector::Zero(step.system.contact_row_count());
  const SolveSetting setting{
      .policy = policy, .no_multiplier = &zero, .first_guess = &zero, .other_guess = &zero};
  NewtonWorkspace work(step.position.size());
  const auto solver = OneStep::make_solver(step.position);
  ContactSweeps sweeps;
  const NewtonReport failed =
      RemediedSolve(step.position, {*solver, work, sweeps}, setting, report, report.subproblems[1])
          .solve([&] { step.position.begin(); });
  EXPECT_FALSE(failed.converged);
  EXPECT_TRUE(std::isnan(failed.residual.worst)) << "which the message tells";
  EXPECT_EQ(used(Fallback::accepted), 0);
  EXPECT_EQ(report.accepted_residual, 0.0);
}

/// Three balls that fill the space between two walls, and can only slide along it. Contacts of the middle ball:
/// e_back with the one behind it, e_front with the one before it.
struct Jam {
  static constexpr double radius = 0.1;

  Jam(double e_back, double e_front) {
    for (int i = 0; i < 3; ++i) {
      const double speed = i == 1 ? 1.0 : 0.0;
      balls.push_back(model.add_frame("ball " + std::to_string(i),
                                      {.position = {2 * radius * i, 0, 0}, .velocity = {speed, 0, 0}}));
      model.fix(balls.back(), {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
      model.add<support::OffsetBody>({.name = "mass " + std::to_string(i), .node = balls.back()});
    }
    const auto law = [](double e) { return ContactLaw{.e_n = e, .friction_directions = 0}; };
    model.add<support::PlaneContact>({.name = "left wall",
                                      .point = balls[0],
                                      .origin = {0, 0, 0},
                                      .axes = support::axes_of({1, 0, 0}),
                                      .law = law(0.5)});
    model.add<support::PlaneContact>({.name = "right wall",
                                      .point = balls[2],
                                      .origin = {4 * radius, 0, 0},
                                      .axes = support::axes_of({-1, 0, 0}),
                                      .law = law(0.5)});
    for (std::size_t i = 0; i < 2; ++i) {
      model.add<support::FaceContact>({.name = "between " + std::to_string(i) + " and the next",
                                       .point = balls[i + 1],
                                       .face = balls[i],
                                       .height = 2 * radius,
                                       .axes = support::axes_of({1, 0, 0}),
                                       .law = law(i == 0 ? e_back : e_front)});
    }
  }

  Model model;
  std::vector<FrameNode> balls;
};

/// At velocity level receding contacts are outside of the active set, and such jams do not occur.
class JamBySchemes : public testing::TestWithParam<const char*> {};

// The rates of all contacts sum to zero. Rebound with 0.9 of 1 m/s at one of them, while the others must not close,
// is impossible for any velocities.
TEST_P(JamBySchemes, LeavesOutRestitutionThatNoVelocitiesGive) {
  const Jam jam(0.0, 0.9);
  const System system(jam.model);
  const auto integrator = make_integrator(GetParam(), {.step = 1e-3});
  int left_out = 0;
  const State state = run(system, *integrator, 20, [&](const State& now, const StepReport& report) {
    left_out += count_of(report, Fallback::no_restitution);
    EXPECT_EQ(report.accepted_residual, 0.0);
    EXPECT_TRUE(now.v.allFinite());
  });
  EXPECT_GT(left_out, 0);
  // No motion is possible. Solves stop at 1e-8 of the speeds of their step, 1 m/s in the first.
  EXPECT_LE(state.v.norm(), 1e-7);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(state.q.position(jam.balls[i]).x(), 2 * Jam::radius * static_cast<double>(i), 2e-3);

  const auto without = make_integrator(GetParam(), {.step = 1e-3, .fallbacks = none});
  EXPECT_THROW(run(system, *without, 20), SolverError);
}

TEST_P(JamBySchemes, KeepsRestitutionThatVelocitiesGive) {
  // With the same e on both sides the middle ball rebounds with it.
  const Jam jam(0.9, 0.9);
  const System system(jam.model);
  const auto integrator = make_integrator(GetParam(), {.step = 1e-3});
  State state = integrator->start(system);
  const StepReport report = integrator->step(state);
  EXPECT_EQ(count_of(report, Fallback::no_restitution), 0);
  EXPECT_NEAR(state.v[jam.balls[1].v], -0.9, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, JamBySchemes, testing::Values("ds", "dsn", "ds-np", "ds-a"),
                         [](const auto& scheme) {
                           std::string name = scheme.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace picus::remedies_test
