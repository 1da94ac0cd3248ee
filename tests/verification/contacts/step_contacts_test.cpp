// Frictional contact problems of steps (solvers/analyses/step_contacts.hpp) compared with known results.

#include "boxes.hpp"
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/error.hpp>
#include <picus/solvers/analyses/step_contacts.hpp>
#include <picus/solvers/contact/contact_solver.hpp>
#include <picus/solvers/contact/sparse_contacts.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::step_contacts_test {
namespace {

using solvers::ContactSolver;
using solvers::DelassusOperator;

constexpr double h = 1e-3;
constexpr Ball ball{.mass = 0.3, .radius = 0.05};

StepContacts at_start(const Model& model, DecoupledNsga&& integrator = DecoupledNsga({.step = h})) {
  Stepper stepper(model, integrator);
  const State state = stepper.start();
  return find_step_contacts(stepper.system(), state, h);
}

double entry(const SparseMatrix& W, Index row, Index column) {
  const Index place = W.find(row, column);
  return place < 0 ? 0.0 : W.values[place];
}

Vector solve(const FrictionProblem& problem) {
  const DelassusOperator W = solvers::make_delassus_operator(problem.W, problem.dimension);
  const auto cones = solvers::make_contact_cones(W, problem.mu);
  Vector r = Vector::Zero(problem.q.size());
  ContactSolver solver;
  EXPECT_TRUE(solver.solve({cones, W, problem.q, solvers::make_contact_weights(cones, 1e-12)}, r).converged);
  return r;
}

/// A ball in contact with the ground z = 0 that moves and spins.
struct RollingBall {
  explicit RollingBall(double height = 0.0, double rolling_arm = 0.0) {
    node = scene.add_body("ball", ball.mass, inertia::sphere(ball.mass, ball.radius),
                          {.position = {0, 0, ball.radius + height},
                           .velocity = {0.7, 0, -0.2},
                           .angular_velocity = {0, 3, 0}});
    scene.add_weights();
    scene.model.add<SphereToFaceContact>({.name = "ground",
                                          .centre = {node},
                                          .radius = ball.radius,
                                          .face = {.normal = {0, 0, 1}, .tangent = Vec3(1, 0, 0)},
                                          .mu = 0.4,
                                          .e_n = 0.5,
                                          .rolling_arm = rolling_arm});
  }
  Scene scene;
  FrameNode node;
};

TEST(StepContacts, OfARollingBallAreThoseOfItsMassAndInertia) {
  const RollingBall rolling;
  const FrictionProblem problem = at_start(rolling.scene.model).problem;
  ASSERT_EQ(problem.dimension, 3);
  ASSERT_EQ(problem.q.size(), 3);
  EXPECT_EQ(problem.mu[0], 0.4);
  // 1/m along the normal, 1/m + R^2 / (2/5 m R^2) along tangents.
  const Vec3 diagonal = Vec3(1.0, 3.5, 3.5) / ball.mass;
  for (Index i = 0; i < 3; ++i) {
    for (Index k = 0; k < 3; ++k)
      EXPECT_NEAR(entry(problem.W, i, k), i == k ? diagonal[i] : 0.0, 1e-10) << i << ' ' << k;
  }
  // Newton's law adds e v; the ball slips by v_x - omega R.
  EXPECT_NEAR(problem.q[0], -0.2 - g * h + 0.5 * -0.2, 1e-12);
  EXPECT_NEAR(problem.q[1], 0.7 - 3 * ball.radius, 1e-12);
  EXPECT_NEAR(problem.q[2], 0.0, 1e-12);
}

TEST(StepContacts, AreThoseThatMayCloseWithinTheStep) {
  const double speed = 0.2 + g * h;
  // Closed within the step, bouncing, and not quite reached; gaps have rounding errors of 1e-17 m.
  const FrictionProblem closing = at_start(RollingBall(0.99 * speed * h).scene.model).problem;
  ASSERT_EQ(closing.q.size(), 3);
  EXPECT_NEAR(closing.q[0], -speed - 0.5 * 0.2, 1e-12);
  const FrictionProblem near = at_start(RollingBall(1.01 * speed * h).scene.model).problem;
  ASSERT_EQ(near.q.size(), 3);
  EXPECT_NEAR(near.q[0], 0.01 * speed, 1e-12);
  EXPECT_EQ(solve(near).norm(), 0.0);
  const StepContacts far = at_start(RollingBall(2.01 * speed * h).scene.model);
  EXPECT_TRUE(far.indices.empty());
  EXPECT_EQ(far.problem.W.size, 0);
}

TEST(StepContacts, OfATowerOfBallsCarryTheWeightsAbove) {
  Scene scene;
  constexpr int count = 5;
  for (int i = 0; i < count; ++i)
    scene.add_ball("ball[" + std::to_string(i) + "]", ball, {.position = {0, 0, (2 * i + 1) * ball.radius}});
  scene.add_floor();
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  const StepContacts contacts = at_start(scene.model);
  ASSERT_EQ(contacts.indices.size(), static_cast<std::size_t>(count));
  const Vector r = solve(contacts.problem);
  std::vector<double> normal;
  for (Index c = 0; c < count; ++c) {
    normal.push_back(r[3 * c] / (ball.mass * g * h));
    EXPECT_NEAR(r.segment(3 * c + 1, 2).norm(), 0.0, 1e-10);
  }
  std::ranges::sort(normal);
  for (int c = 0; c < count; ++c) EXPECT_NEAR(normal[c], c + 1, 1e-8);
}

TEST(StepContacts, KnowJointsAndDrivenBodies) {
  // An arm rotates about a hinge and rests with its tip, 0.4 m away, on a rising table.
  Scene scene;
  constexpr double length = 0.4, mass = 2.0, J = 0.05, rise = 0.3;
  const FrameNode ground = scene.model.add_frame("ground");
  scene.model.fix(ground);
  const FrameNode arm = scene.add_body("arm", mass, J * Mat3::Identity(), {.position = {0.5 * length, 0, 0}});
  scene.model.add<Hinge>(
      {.name = "hinge", .a = {ground}, .b = {arm, {-0.5 * length, 0, 0}}, .axis = Vec3::UnitY()});
  const FrameNode table = scene.model.add_frame("table");
  scene.model.fix(table, {Component::x, Component::y, Component::rx, Component::ry, Component::rz});
  scene.model.drive(table, Component::z,
                    {.displacement = [](double t) { return rise * t; },
                     .rate = [](double) { return rise; },
                     .acceleration = [](double) { return 0.0; }});
  scene.add_weights();
  scene.model.add<SphereToFaceContact>(
      {.name = "tip",
       .centre = {arm, {0.5 * length, 0, 0}},
       .radius = 0.01,
       .face = {.node = table, .point = {0, 0, -0.01}, .normal = {0, 0, 1}}});
  SchemeOptions options{.step = h};
  const StepContacts contacts = at_start(scene.model, DecoupledNsga(options));
  ASSERT_EQ(contacts.indices.size(), 1U);
  // Without friction there is one row, but the minimum dimension is 2: the other row is decoupled.
  EXPECT_EQ(contacts.problem.dimension, 2);
  const double inertia = J + mass * 0.25 * length * length;
  EXPECT_NEAR(entry(contacts.problem.W, 0, 0), length * length / inertia, 1e-9);
  EXPECT_NEAR(contacts.problem.q[0], -length * mass * g * 0.5 * length * h / inertia - rise, 1e-9);
  EXPECT_GT(entry(contacts.problem.W, 1, 1), 0.0);
  EXPECT_EQ(entry(contacts.problem.W, 0, 1), 0.0);
  EXPECT_EQ(contacts.problem.mu[0], 0.0);
  EXPECT_NEAR(solve(contacts.problem)[0], -contacts.problem.q[0] * inertia / (length * length), 1e-9);
}

TEST(StepContacts, AreRefusedWhereTheyResistRolling) {
  const RollingBall rolling(0.0, 0.01);
  EXPECT_EQ(support::message_of<ModelError>([&] { at_start(rolling.scene.model); }),
            "contact \"ground\" resists drilling or rolling, which a friction problem does not know");
}

// Schemes solve another form of the same step: impulses agree to first order in h.
TEST(StepContacts, GiveTheImpulsesOfTheStepThatFollows) {
  const RollingBall rolling;
  DecoupledNsga integrator({.step = h});
  Stepper stepper(rolling.scene.model, integrator);
  State state = stepper.start();
  const Vector r = solve(find_step_contacts(stepper.system(), state, h).problem);
  stepper.step(state);
  // The impact of 0.3 N s/kg is exact, the contribution of its weight is that of part of the step.
  EXPECT_NEAR(r[0], ball.mass * (1.5 * 0.2 + g * h), 1e-12);
  EXPECT_NEAR(state.contact_impulse[0], r[0], ball.mass * g * h);
  EXPECT_NEAR(r[1], -0.4 * r[0], 1e-12);
  EXPECT_NEAR(state.contact_impulse[1], r[1], 0.4 * ball.mass * g * h);
}

}  // namespace
}  // namespace picus::step_contacts_test
