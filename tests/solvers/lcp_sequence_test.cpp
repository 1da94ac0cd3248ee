// The sequence of linear complementarity problems against semismooth Newton: both solve the same equations.

#include "runs.hpp"
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/message.hpp>
#include <support/rods.hpp>

#include <algorithm>

namespace picus::lcp_sequence_test {
namespace {

constexpr double g = 9.81;

/// The contact normal is z.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

/// A tilted box that falls on its four corners and comes to rest, with a weight that swings on a rod at its side and
/// a ball that bounces on its lid: contacts that open and close together, rotations, a constraint, unequal masses; no
/// friction.
Model make_falling_box(double mu = 0.0) {
  Model model;
  const auto box = model.add_frame("box", {.position = {0, 0, 0.15}, .rotation = so3::exp({0.1, 0.15, 0})});
  model.add<support::OffsetBody>(
      {.name = "mass", .node = box, .mass = 2, .inertia = {0.02, 0.03, 0.04}, .gravity = {0, 0, -g}});
  const auto weight = model.add_point("weight", {.position = {0.3, 0.1, 0.3}, .velocity = {0, 0.5, 0}});
  model.add<support::PointMass>(
      {.name = "mass of weight", .node = weight, .mass = 0.2, .gravity = {0, 0, -g}});
  const MaterialPoint hook(box, {0, 0, 0.1});
  const auto& q = model.initial_configuration();
  model.add<support::Rod>(
      {.name = "rod", .a = hook, .b = weight, .length = (hook.position(q) - q.position(weight)).norm()});
  for (int i = 0; i < 4; ++i) {
    model.add<support::PlaneContact>(
        {.name = "corner " + std::to_string(i),
         .point = {box, {i % 2 == 0 ? -0.1 : 0.1, i < 2 ? 0.1 : -0.1, -0.1}},
         .axes = upwards(),
         .law = {.mu = i == 2 ? mu : 0.0, .e_n = 0.2, .friction_directions = i % 3}});
  }
  const auto ball = model.add_point("ball", {.position = {0, 0, 0.3}, .velocity = {0, 0, -1}});
  model.add<support::PointMass>({.name = "mass of ball", .node = ball, .mass = 1e-3, .gravity = {0, 0, -g}});
  model.add<support::FaceContact>({.name = "ball on lid",
                                   .point = ball,
                                   .face = box,
                                   .height = 0.1,
                                   .axes = upwards(),
                                   .law = {.e_n = 0.8, .friction_directions = 0}});
  return model;
}

double distance(const System& system, const State& x, const State& y) {
  Vector apart = Vector::Zero(system.velocity_count());
  difference(system.nodes(), x.q, y.q, apart);
  return std::max(apart.lpNorm<Eigen::Infinity>(), (x.v - y.v).lpNorm<Eigen::Infinity>());
}

/// G_c^T P, the impulses of all contacts on all components.
Vector push(const System& system, const State& state) {
  Gradients G = system.make_contact_gradients();
  system.evaluate_contact_gradients(state.q, G);
  Vector result = Vector::Zero(system.velocity_count());
  System::add_transpose(system.contact_entries(), G, state.contact_impulse, 1.0, result);
  return result;
}

TEST(LcpSequence, StepsAreThoseOfNewtonsMethod) {
  const Model model = make_falling_box();
  const System system(model);
  for (const std::string scheme : {"chen", "newmark", "hht", "newmark-implicit", "moreau-jean"}) {
    // From the same state, step by step, so that the effect of the tolerance does not grow from impact to impact.
    const SchemeOptions options{.step = 1e-3, .tolerance = 1e-11};
    const auto newton = make_integrator(scheme, options);
    const auto lcp = make_integrator(scheme + ":solver=lcp", options);
    State state = newton->start(system);
    lcp->start(system);
    int several = 0;
    double largest_impulse = 0;
    int most_iterations = 0;
    for (int i = 0; i < 400; ++i) {
      State other = state;
      newton->step(state);
      const StepReport report = lcp->step(other);
      ASSERT_LE(distance(system, state, other), 1e-8) << scheme << " at " << state.time;
      // The impulses may be distributed over four corners in many ways; their resultant is unique.
      EXPECT_LE((push(system, state) - push(system, other)).lpNorm<Eigen::Infinity>(), 1e-8)
          << scheme << " at " << state.time;
      if (report.closed_contacts > 1) ++several;
      largest_impulse = std::max(largest_impulse, other.contact_impulse.lpNorm<Eigen::Infinity>());
      most_iterations = std::max(most_iterations, report.subproblems[0].iterations);
    }
    EXPECT_GE(several, 10) << scheme << ": contacts should close together";
    EXPECT_GE(largest_impulse, 0.1) << scheme;
    // Quadratic convergence: only the motion of a step must be linearised.
    EXPECT_LE(most_iterations, 6) << scheme;
  }
}

TEST(LcpSequence, ALevelBoxLandsOnFourCorners) {
  // One impulse too many for three directions: Lemke's method finds one of the possible distributions.
  Model model;
  const auto box = model.add_frame("box", {.position = {0, 0, 0.3}});
  model.add<support::OffsetBody>({.name = "mass",
                                  .node = box,
                                  .mass = 2,
                                  .inertia = {0.02, 0.03, 0.04},
                                  .centre = {0, 0, 0},
                                  .gravity = {0, 0, -g}});
  for (int i = 0; i < 4; ++i) {
    model.add<support::PlaneContact>({.name = "corner " + std::to_string(i),
                                      .point = {box, {i % 2 == 0 ? -0.1 : 0.1, i < 2 ? 0.1 : -0.1, -0.1}},
                                      .axes = upwards(),
                                      .law = {.friction_directions = 0}});
  }
  const System system(model);
  const State state = run(system, "chen:solver=lcp", {.step = 1e-3}, 0.5);
  EXPECT_LE(state.v.norm(), 1e-8);
  EXPECT_NEAR(state.contact_impulse.sum(), 2 * g * 1e-3, 1e-8);
  EXPECT_GE(state.contact_impulse.minCoeff(), 0);
}

TEST(LcpSequence, RefusesFrictionByTheNameOfTheContact) {
  const Model model = make_falling_box(0.2);
  const System system(model);
  for (const std::string scheme : {"chen", "moreau-jean"}) {
    const auto integrator = make_integrator(scheme + ":solver=lcp", {});
    EXPECT_EQ(support::message_of<SolverError>([&] { integrator->start(system); }),
              "scheme \"" + scheme + ":solver=lcp\" has no friction, but contact \"corner 2\" has mu = 0.2");
  }
}

/// A point between two walls closing on it.
TEST(LcpSequence, AnImpossibleStepSaysSo) {
  Model model;
  const auto ball = model.add_point("ball");
  model.add<support::PointMass>({.name = "mass", .node = ball});
  Mat3 downwards = upwards();
  downwards.col(0) *= -1;
  for (const double side : {1.0, -1.0}) {
    const auto wall = model.add_frame(side > 0 ? "lid" : "floor", {.position = {0, 0, 0.001 * side}});
    model.drive(wall, Component::z, PrescribedMotion::constant_speed(-side));
    model.fix(wall, {Component::x, Component::y, Component::rx, Component::ry, Component::rz});
    model.add<support::FaceContact>({.name = side > 0 ? "ball under lid" : "ball on floor",
                                     .point = ball,
                                     .face = wall,
                                     .axes = side > 0 ? downwards : upwards(),
                                     .law = {.friction_directions = 0}});
  }
  const System system(model);
  const auto integrator = make_integrator("chen:solver=lcp", {.step = 1e-3});
  State state = integrator->start(system);
  const std::string message = support::message_of<SolverError>([&] {
    for (int i = 0; i < 10; ++i) integrator->step(state);
  });
  EXPECT_NE(message.find("Lemke's method finds no solution"), std::string::npos) << message;
}

}  // namespace
}  // namespace picus::lcp_sequence_test
