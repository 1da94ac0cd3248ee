#include <picus/error.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/contacts.hpp>
#include <support/differences.hpp>
#include <support/guides.hpp>
#include <support/message.hpp>
#include <support/mixed_model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace picus::consistent_start_test {
namespace {

using support::message_of;
using support::PointMass;
using support::Random;
using support::Rod;

State start_of(const System& system) {
  DecoupledNsga integrator;
  return integrator.start(system);
}
State start_of(const Model& model) {
  return start_of(System(model));
}

Vector violation(const System& system, const Configuration& q, double t = 0.0) {
  Vector g = Vector::Zero(system.row_count());
  system.evaluate_constraint_residual(q, t, g);
  return g;
}

/// A mass on a rod whose other end is fixed at the origin.
struct Pendulum {
  explicit Pendulum(const PointStart& start, double length = 2.0) {
    pivot = model.add_point("pivot");
    model.fix(pivot);
    bob = model.add_point("bob", start);
    model.add<PointMass>({.name = "mass", .node = bob, .mass = 3, .gravity = {0, -9.81, 0}});
    model.add<Rod>({.name = "rod", .a = pivot, .b = bob, .length = length});
  }
  Model model;
  PointNode pivot, bob;
};

TEST(ConsistentStart, LeavesAConsistentOneAsItIs) {
  const Pendulum pendulum({.position = {2, 0, 0}, .velocity = {0, 0.5, 0.25}});
  const State state = start_of(pendulum.model);
  EXPECT_EQ(state.q, pendulum.model.initial_configuration());
  EXPECT_LE((state.v.segment<3>(pendulum.bob.v) - Vec3(0, 0.5, 0.25)).norm(), 1e-15);
  EXPECT_EQ(state.time, 0.0);
  EXPECT_EQ(state.step, 0);
}

TEST(ConsistentStart, ProjectsPositionsToTheNearestPoint) {
  const Vec3 given(1.5, 0.9, -0.7);
  const Pendulum pendulum({.position = given});
  const State state = start_of(pendulum.model);
  // The constraint holds to 1e-8 of 1e-5 of the model's size, and the gradient rotates along the way.
  EXPECT_LE((state.q.position(pendulum.bob) - 2 * given.normalized()).norm(), 1e-7);
  EXPECT_LE(violation(System(pendulum.model), state.q).norm(), 1e-12);
}

TEST(ConsistentStart, ProjectsInTheMetricOfTheMass) {
  Model model;
  const auto heavy = model.add_point("heavy", {.position = {0, 0, 0}, .velocity = {1, 0, 0}});
  const auto light = model.add_point("light", {.position = {1.5, 0, 0}, .velocity = {-2, 0.5, 0}});
  model.add<PointMass>({.name = "mass of heavy", .node = heavy, .mass = 9});
  model.add<PointMass>({.name = "mass of light", .node = light, .mass = 1});
  model.add<Rod>({.name = "rod", .a = heavy, .b = light});
  const State state = start_of(model);
  // The displacements are inversely proportional to the masses, and the momentum is conserved.
  EXPECT_NEAR(state.q.position(heavy).x(), 0.05, 1e-9);
  EXPECT_NEAR(state.q.position(light).x(), 1.05, 1e-9);
  EXPECT_LE((state.v.segment<3>(heavy.v) - Vec3(0.7, 0, 0)).norm(), 1e-9);
  EXPECT_LE((state.v.segment<3>(light.v) - Vec3(0.7, 0.5, 0)).norm(), 1e-9);
}

TEST(ConsistentStart, FindsAccelerationAndTensionOfAPendulum) {
  const double speed = 1.2;
  const Pendulum pendulum({.position = {0, -2, 0}, .velocity = {speed, 0, 0}});
  const State state = start_of(pendulum.model);
  EXPECT_NEAR(state.constraint_force[0], -3 * (9.81 + speed * speed / 2), 1e-9) << "the rod pulls";
  EXPECT_LE((state.acceleration.segment<3>(pendulum.bob.v) - Vec3(0, speed * speed / 2, 0)).norm(), 1e-9);
}

/// A body held by rods of 0.9 m and 1 m to two points at rest, wherever it is at first. The rods, the distance between
/// their ends on the body and that between the points can be closed if none is longer than the others together.
TEST(ConsistentStart, ClosesMechanismsThatAreFarApart) {
  Random random(31);
  int closed = 0, open = 0;
  for (int sample = 0; sample < 300; ++sample) {
    Model model;
    const Vec3 place = random.vec3(2.0);
    const Mat3 rotation = random.rotation();
    const FrameNode body = model.add_frame("body", {.position = place, .rotation = rotation});
    model.add<support::OffsetBody>({.name = "mass", .node = body, .mass = 0.9, .inertia = {1.2, 0.7, 0.4}});
    const Vec3 feet[2] = {random.vec3(0.6), random.vec3(0.6)};
    const Vec3 ground[2] = {random.vec3(1.3), random.vec3(1.3)};
    const double lengths[2] = {0.9, 1.0};
    for (int i = 0; i < 2; ++i) {
      const std::string name = i == 0 ? "one" : "two";
      const PointNode pivot = model.add_point("pivot of " + name, {.position = ground[i]});
      model.fix(pivot);
      model.add<Rod>({.name = name, .a = {body, feet[i]}, .b = pivot, .length = lengths[i]});
    }
    const double sides[4] = {0.9, 1.0, (feet[1] - feet[0]).norm(), (ground[1] - ground[0]).norm()};
    const double slack = 1.9 + sides[2] + sides[3] - 2 * *std::ranges::max_element(sides);
    if (std::abs(slack) < 1e-2) continue;  // the constraints nearly depend on each other
    if (slack < 0) {
      ++open;
      EXPECT_THAT(message_of<SolverError>([&] { start_of(model); }),
                  testing::HasSubstr("no start satisfies all constraints"))
          << sample;
      continue;
    }
    ++closed;
    const System system(model);
    const State state = start_of(system);
    EXPECT_LE(violation(system, state.q).lpNorm<Eigen::Infinity>(), 1e-10) << sample;
  }
  EXPECT_GT(closed, 200);
  EXPECT_GT(open, 5);
}

/// The mixed model without contacts: frames, a massless node, constraints that depend on time.
class StartOfTheMixedModel : public testing::TestWithParam<unsigned> {
 protected:
  Random random{GetParam()};
  Model model = support::make_mixed_model(random, false);
  System system{model};
  State state = start_of(system);
};

TEST_P(StartOfTheMixedModel, SatisfiesTheConstraints) {
  EXPECT_LE(violation(system, state.q).lpNorm<Eigen::Infinity>(), 1e-11);
}

TEST_P(StartOfTheMixedModel, KeepsFixedAndDrivenComponents) {
  const Configuration& given = model.initial_configuration();
  for (const char* name : {"ground", "belt"}) {
    const Node node = model.find_node(name);
    EXPECT_EQ(state.q.position(node), given.position(node));
    EXPECT_LE((state.q.rotation(node) - given.rotation(node)).norm(), 1e-15);
  }
  const Node belt = model.find_node("belt");
  const auto turn = support::swing(0.8, 1.3);
  EXPECT_EQ(state.v[belt.v], 0.7);
  EXPECT_EQ(state.v[belt.v + 5], turn.rate(0));
  EXPECT_NEAR(state.acceleration[belt.v + 5], turn.acceleration(0), 1e-12);
}

/// q(s) = q_0 o exp(s v + s^2/2 a), which has the velocity v and the acceleration a at s = 0.
TEST_P(StartOfTheMixedModel, ConstraintsStaySatisfiedToSecondOrder) {
  const auto g = [&](double s) {
    Configuration q = state.q;
    retract(system.nodes(), state.q, s * state.v + s * s / 2 * state.acceleration, q);
    return violation(system, q, s);
  };
  const Vector rate = support::derivative(g);
  EXPECT_LE(rate.lpNorm<Eigen::Infinity>(), 1e-9 * (1 + state.v.norm()));
  constexpr double step = 1e-3;
  const Vector second =
      (16 * (g(step) + g(-step)) - (g(2 * step) + g(-2 * step)) - 30 * g(0)) / (12 * step * step);
  // Rounding 1e-16/step^2, truncation step^4, and time differences of a hundredth of the step of 1e-4 s in the
  // rheonomic terms.
  EXPECT_LE(second.lpNorm<Eigen::Infinity>(), 1e-7 * (1 + state.v.squaredNorm() + state.acceleration.norm()));
}

TEST_P(StartOfTheMixedModel, SatisfiesTheEquationsOfMotion) {
  MassMatrix mass(system);
  mass.assemble(state.q);
  Vector residual;
  mass.multiply(state.acceleration, residual);
  system.add_forces({state.q, state.v, 0.0}, -1.0, residual);
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(state.q, 0.0, G);
  System::add_transpose(system.constraint_entries(), G, state.constraint_force, -1.0, residual);
  system.clear_prescribed(residual);
  EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-10 * (1 + state.constraint_force.norm()));
}

INSTANTIATE_TEST_SUITE_P(Random, StartOfTheMixedModel, testing::Values(1u, 2u, 3u, 4u, 5u));

TEST(ConsistentStart, NodesWithoutMassFollowFromTheConstraints) {
  Random random(7);
  Model model;
  const auto body = model.add_frame(
      "body", {.rotation = random.rotation(), .velocity = random.vec3(), .angular_velocity = random.vec3()});
  model.add<support::OffsetBody>({.name = "mass", .node = body, .gravity = {0, 0, -9.81}});
  const MaterialPoint corner(body, {1, 2, 3});
  const Configuration& q = model.initial_configuration();
  const auto knot = model.add_point("knot", {.position = corner.position(q)});
  for (int i = 0; i < 3; ++i) {
    const Vec3 foot = Vec3::Unit(i);
    model.add<Rod>({.name = "link " + std::to_string(i),
                    .a = {body, foot},
                    .b = knot,
                    .length = (corner.offset - foot).norm()});
  }
  const State state = start_of(model);
  EXPECT_LE((state.q.position(knot) - corner.position(state.q)).norm(), 1e-10);
  EXPECT_LE((state.v.segment<3>(knot.v) - corner.velocity(state.q, state.v)).norm(), 1e-10);
  const Vec3 omega = state.v.segment<3>(body.v + 3);
  const Vec3 alpha = state.acceleration.segment<3>(body.v + 3);
  const Vec3 expected =
      state.acceleration.segment<3>(body.v) +
      state.q.rotation(body) * (alpha.cross(corner.offset) + omega.cross(omega.cross(corner.offset)));
  EXPECT_LE((state.acceleration.segment<3>(knot.v) - expected).norm(), 1e-9);
}

TEST(ConsistentStart, AbsorbsPenetrations) {
  for (const double depth : {1e-9, 16e-6, 0.2}) {
    Model model;
    const auto ball = model.add_point("ball", {.position = {-depth, 0.3, 0.4}, .velocity = {-1, 2, 0}});
    model.add<PointMass>({.name = "mass", .node = ball});
    model.add<support::PlaneContact>({.name = "floor", .point = ball, .law = {.mu = 0.5, .e_n = 0.5}});
    const State state = start_of(model);
    // Lifted along the normal, without friction, and only up to the floor.
    EXPECT_NEAR(state.q.position(ball).x(), 0.0, 1e-12) << depth;
    EXPECT_EQ(Eigen::Vector2d(state.q.position(ball).tail<2>()), Eigen::Vector2d(0.3, 0.4));
    EXPECT_EQ(Vec3(state.v), Vec3(-1, 2, 0)) << "impacts are the business of the first step";
    EXPECT_EQ(Vec3(state.contact_rate), Vec3(-1, 2, 0));
    EXPECT_EQ(Vec3(state.contact_impulse), Vec3::Zero());
  }
}

TEST(ConsistentStart, LeavesOpenGapsAlone) {
  Model model;
  const auto ball = model.add_point("ball", {.position = {0.1, 0, 0}});
  model.add<PointMass>({.name = "mass", .node = ball});
  model.add<support::PlaneContact>({.name = "floor", .point = ball});
  EXPECT_EQ(start_of(model).q, model.initial_configuration());
}

TEST(ConsistentStart, NamesTheConstraintThatCannotBeSatisfied) {
  // Both rods are too short to meet, and initially they are not aligned.
  Pendulum pendulum({.position = {0, -2, 0}});
  const PointNode far = pendulum.model.add_point("far", {.position = {9, -1, 0}});
  pendulum.model.fix(far);
  pendulum.model.add<Rod>({.name = "long rod", .a = far, .b = pendulum.bob, .length = 3});
  const std::string message = support::message_of<SolverError>([&] { start_of(pendulum.model); });
  EXPECT_TRUE(message.starts_with("no start satisfies all constraints: after ")) << message;
  EXPECT_TRUE(message.find("constraint \"rod\"") != std::string::npos ||
              message.find("constraint \"long rod\"") != std::string::npos)
      << message;
}

TEST(ConsistentStart, NamesConstraintsThatContradictEachOther) {
  Pendulum pendulum({.position = {0, -2, 0}});
  pendulum.model.add<Rod>({.name = "long rod", .a = pendulum.pivot, .b = pendulum.bob, .length = 3});
  const std::string message = support::message_of<SolverError>([&] { start_of(pendulum.model); });
  EXPECT_TRUE(message.starts_with("constraints contradict each other by ")) << message;
  EXPECT_NE(message.find("\"rod\""), std::string::npos) << message;
  EXPECT_NE(message.find("\"long rod\""), std::string::npos) << message;
}

TEST(ConsistentStart, NamesTheNodeThatNothingHolds) {
  Pendulum pendulum({.position = {0, -2, 0}});
  pendulum.model.add_point("knot");
  EXPECT_EQ(support::message_of<SolverError>([&] { start_of(pendulum.model); }),
            "nothing determines x of node \"knot\": it has neither mass nor a constraint that holds it");
}

TEST(ConsistentStart, RefusesAMasslessPartThatIsFreeToMove) {
  // The knot is constrained along the rod only.
  Model model;
  const auto pivot = model.add_point("pivot");
  model.fix(pivot);
  const auto knot = model.add_point("knot", {.position = {0.6, 0.8, 0}});
  model.add<Rod>({.name = "rod", .a = pivot, .b = knot});
  EXPECT_EQ(support::message_of<SolverError>([&] { start_of(model); }),
            "the start has no unique solution: the constraints leave a part without mass free to move");
}

TEST(ConsistentStart, TakesRedundantConstraints) {
  Pendulum twice({.position = {1, -1.5, 0.3}, .velocity = {1, 0, 0}});
  twice.model.add<Rod>({.name = "same rod", .a = twice.pivot, .b = twice.bob, .length = 2});
  const State redundant = start_of(twice.model);
  const Pendulum once({.position = {1, -1.5, 0.3}, .velocity = {1, 0, 0}});
  const State single = start_of(once.model);
  EXPECT_LE((redundant.v - single.v).norm(), 1e-9);
  EXPECT_LE((redundant.acceleration - single.acceleration).norm(), 1e-8);
  // The rods share the tension.
  EXPECT_NEAR(redundant.constraint_force.sum(), single.constraint_force[0], 1e-6);
}

/// A pendulum on a belt, a bead on a rotating wire and a ball below the floor, in units where L is a metre and T a
/// second. The accelerations of the belt and of the wire are not given.
struct InUnits {
  InUnits(double L, double T) {
    const Vec3 gravity(0, -9.81 * L / (T * T), 0);
    const double w = 3 / T;
    const auto belt = model.add_point("belt");
    model.drive(belt, Component::x,
                {.displacement = [=](double t) { return 0.1 * L * (std::exp(w * t) - 1); },
                 .rate = [=](double t) { return 0.1 * L * w * std::exp(w * t); },
                 .acceleration = {}});
    model.fix(belt, {Component::y, Component::z});
    const auto bob = model.add_point(
        "bob", {.position = Vec3(0.3, -0.9, 0.1) * L, .velocity = Vec3(0.5, 0.1, 0.2) * L / T});
    model.add<PointMass>({.name = "mass of bob", .node = bob, .mass = 3, .gravity = gravity});
    model.add<Rod>({.name = "rod", .a = belt, .b = bob, .length = 0.95 * L});
    const auto bead =
        model.add_point("bead", {.position = Vec3(0.7, 0, 0) * L, .velocity = Vec3(0.2, 0, 0) * L / T});
    model.add<PointMass>({.name = "mass of bead", .node = bead, .mass = 2, .gravity = gravity});
    model.add<support::TurningWire>({.name = "wire", .point = bead, .angular_speed = 0.6 / T});
    const auto ball =
        model.add_point("ball", {.position = Vec3(-1e-3, 0, 0) * L, .velocity = Vec3(-1, 0, 0.3) * L / T});
    model.add<PointMass>({.name = "mass of ball", .node = ball});
    model.add<support::PlaneContact>(
        {.name = "floor", .point = ball, .law = {.e_n = 0.5, .friction_directions = 0}});
  }
  Model model;
};

TEST(ConsistentStart, IsTheSameInOtherUnits) {
  // This holds for all schemes, and for three steps: they contain no length or time scale of their own.
  std::vector<std::string> texts = {"mixed:base=bathe", "mixed:base=ed-alpha", "mixed:base=moreau-midpoint",
                                    "mixed:base=half-explicit"};
  for (const Scheme& scheme : schemes()) texts.push_back(scheme.name);
  const InUnits reference(1.0, 1.0);
  const System system(reference.model);
  for (const std::string& text : texts) {
    const auto integrator = make_integrator(text, {.step = 1e-2});
    const State start = integrator->start(system);
    State end = start;
    for (int i = 0; i < 3; ++i) integrator->step(end);
    for (const auto& [L, T] : {std::pair(1e3, 1.0), std::pair(1e-3, 1.0), std::pair(1.0, 1e3),
                               std::pair(1.0, 1e-3), std::pair(1e3, 1e-3)}) {
      SCOPED_TRACE(text + ", " + std::to_string(L) + ", " + std::to_string(T));
      const InUnits other(L, T);
      const System same(other.model);
      const auto expect_same = [&, L = L, T = T](const State& state, const State& expected) {
        // Both are solved to rounding, and time differences have rounding errors of up to 1e-9 of the acceleration.
        const auto expect_near = [](const Vector& scaled, const Vector& value) {
          EXPECT_LE((scaled - value).norm(), 1e-9 * (1 + value.norm()));
        };
        Vector moved = Vector::Zero(system.velocity_count());
        Vector expected_move = moved;
        difference(same.nodes(), other.model.initial_configuration(), state.q, moved);
        difference(system.nodes(), reference.model.initial_configuration(), expected.q, expected_move);
        expect_near(moved / L, expected_move);
        expect_near(state.v * (T / L), expected.v);
        expect_near(state.acceleration * (T * T / L), expected.acceleration);
        expect_near(state.constraint_force * (T * T / L), expected.constraint_force);
        EXPECT_EQ(state.contact_state, expected.contact_state);
      };
      const auto scaled = make_integrator(text, {.step = 1e-2 * T});
      State state = scaled->start(same);
      expect_same(state, start);
      for (int i = 0; i < 3; ++i) scaled->step(state);
      expect_same(state, end);
    }
  }
}

}  // namespace
}  // namespace picus::consistent_start_test
