#include "one_step.hpp"
#include <picus/solvers/subproblems/condensed_contact.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>
#include <support/rods.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::condensed_contact_test {

using solvers::solve_condensed;

namespace {

using support::Random;

/// Three balls connected by rods to each other and to a tumbling body, thrown at a plane. The names end in `end`.
void throw_balls(Model& model, unsigned seed, const std::string& end) {
  Random random(seed);
  std::vector<PointNode> balls;
  const auto downwards = [&] { return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), -2); };
  for (int i = 0; i < 3; ++i) {
    const std::string name = "ball " + std::to_string(i) + end;
    balls.push_back(model.add_point(
        name, {.position = {1.0 * i, 0.3 * i * i, random.uniform(0, 0.05)}, .velocity = downwards()}));
    model.add<support::PointMass>({.name = "mass of " + name,
                                   .node = balls.back(),
                                   .mass = random.uniform(0.5, 2),
                                   .gravity = {0, 0, -9.81}});
  }
  const auto body = model.add_frame("body" + end, {.position = {1, 1, 1},
                                                   .rotation = random.rotation(),
                                                   .velocity = downwards(),
                                                   .angular_velocity = random.vec3(2)});
  model.add<support::OffsetBody>({.name = "mass of body" + end, .node = body, .centre = {0.1, 0, 0.2}});
  const Configuration& q = model.initial_configuration();
  const auto tie = [&](const MaterialPoint& a, const MaterialPoint& b, const std::string& name) {
    model.add<support::Rod>(
        {.name = name + end, .a = a, .b = b, .length = (a.position(q) - b.position(q)).norm()});
  };
  tie(balls[0], balls[1], "first rod");
  tie(balls[1], balls[2], "second rod");
  tie(balls[2], {body, {0.2, 0.1, 0}}, "third rod");
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;  // the normal is z
  for (const PointNode& ball : balls) {
    model.add<support::PlaneContact>({.name = "contact of " + model.node_name(ball),
                                      .point = ball,
                                      .axes = axes,
                                      .law = {.mu = 0.3, .e_n = 0.4}});
  }
}

Model thrown_balls(unsigned seed) {
  Model model;
  throw_balls(model, seed, "");
  return model;
}

/// Solves from the current iterate of the problem.
NewtonReport solve(Subproblem& problem, int max_iterations = 25) {
  TracedProblem traced(problem);
  NewtonWorkspace work(problem.size());
  return solve_condensed(problem, traced, *OneStep::make_solver(problem), max_iterations, work);
}

/// Both stop at residuals of 1e-8 of the motion over the step; the effective masses vary by a factor 10.
constexpr double tolerance = 1e-6;

// Compares motions only: a rod between two sticking balls leaves their multipliers undetermined.
TEST(CondensedContact, FindsTheSameMotionAsNewton) {
  std::array<int, 3> seen{};
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Model model = thrown_balls(seed);
    OneStep newton(model, 0.01);
    OneStep condensed(model, 0.01);
    ASSERT_TRUE(newton.solve_smooth().converged);
    ASSERT_TRUE(condensed.solve_smooth().converged);

    newton.position.begin();
    ASSERT_TRUE(newton.solve(newton.position).converged);
    condensed.position.begin();
    const NewtonReport position = solve(condensed.position);
    ASSERT_TRUE(position.converged) << seed;
    EXPECT_LE(position.iterations, 12) << "a linearisation or two, and what Newton's method finishes with";
    const double motion = newton.data.dq.norm();
    EXPECT_LE((newton.data.dq - condensed.data.dq).norm(), tolerance * motion) << seed;

    newton.begin_velocity();
    ASSERT_TRUE(newton.solve(newton.velocity).converged);
    condensed.begin_velocity();
    ASSERT_TRUE(solve(condensed.velocity).converged) << seed;
    const Vector& v = newton.velocity.velocity();
    EXPECT_LE((v - condensed.velocity.velocity()).norm(), tolerance * v.norm()) << seed;
    for (const ContactState state : newton.velocity.contact_states()) ++seen[place_of(state)];
  }
  for (const int count : seen) EXPECT_GT(count, 5) << "all states should occur";
}

// Many contacts, of which few are coupled, are solved by sparse factorisations.
TEST(CondensedContact, FindsTheSameMotionOfManyBodies) {
  constexpr unsigned groups = 100;
  Model model;
  for (unsigned seed = 1; seed <= groups; ++seed) throw_balls(model, seed, " of " + std::to_string(seed));
  OneStep newton(model, 0.01);
  OneStep condensed(model, 0.01);
  ASSERT_TRUE(newton.solve_smooth().converged);
  ASSERT_TRUE(condensed.solve_smooth().converged);
  for (OneStep* step : {&newton, &condensed}) {
    step->position.begin();
    ASSERT_TRUE(step->solve(step->position).converged);
    step->begin_velocity();
  }
  ASSERT_TRUE(newton.solve(newton.velocity).converged);
  const NewtonReport velocity = solve(condensed.velocity);
  ASSERT_TRUE(velocity.converged);
  EXPECT_LE(velocity.iterations, 2) << "rates are linear";
  const Vector& v = newton.velocity.velocity();
  EXPECT_LE((v - condensed.velocity.velocity()).norm(), tolerance * v.norm());
  const auto states = condensed.velocity.contact_states();
  EXPECT_GT(states.size() - std::ranges::count(states, ContactState::gap), groups);
}

TEST(CondensedContact, GoesOnFromAnyStart) {
  const Model model = thrown_balls(1);
  OneStep step(model, 0.01);
  ASSERT_TRUE(step.solve_smooth().converged);
  Random random(2);
  step.position.set_contact_multipliers(random.vector(step.system.contact_row_count(), 0.1));
  step.position.begin();
  EXPECT_TRUE(solve(step.position).converged);
}

TEST(CondensedContact, ANearSolutionNeedsNoIteration) {
  const Model model = thrown_balls(1);
  OneStep step(model, 0.01);
  ASSERT_TRUE(step.solve_smooth().converged);
  step.position.begin();
  ASSERT_TRUE(step.solve(step.position).converged);
  const NewtonReport report = solve(step.position);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(CondensedContact, StopsAtItsIterationLimit) {
  const Model model = thrown_balls(1);
  OneStep step(model, 0.01);
  ASSERT_TRUE(step.solve_smooth().converged);
  step.position.begin();
  const NewtonReport report = solve(step.position, 0);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(CondensedContact, WithoutASolutionStaysAtItsBestIterate) {
  // A ball between two planes whose distance is negative.
  Model model;
  const auto ball = model.add_point("ball", {.velocity = {0, 0, 1}});
  model.add<support::PointMass>({.name = "mass", .node = ball});
  for (const double side : {1.0, -1.0}) {
    model.add<support::PlaneContact>({.name = side > 0 ? "floor" : "ceiling",
                                      .point = ball,
                                      .origin = {0, 0, side * 0.1},
                                      .axes = support::axes_of({0, 0, side}),
                                      .law = {.mu = 0.3}});
  }
  OneStep step(model, 0.01);
  ASSERT_TRUE(step.solve_smooth().converged);
  step.position.begin();
  TracedProblem traced(step.position);
  NewtonWorkspace work(step.position.size());
  const NewtonReport report =
      solve_condensed(step.position, traced, *OneStep::make_solver(step.position), 25, work);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(step.position.increment().allFinite());
  EXPECT_TRUE(step.position.contact_multipliers().allFinite());
  // The final iterate is its best one, up to rounding when returning to it.
  EXPECT_NEAR(step.position.evaluate(work.r).worst, traced.best_residual(), 1e-6 * traced.best_residual());
  EXPECT_NEAR(report.residual.worst, traced.best_residual(), 1e-6 * traced.best_residual());
}

}  // namespace
}  // namespace picus::condensed_contact_test
