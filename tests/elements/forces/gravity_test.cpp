#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus::gravity_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order a hundred.
constexpr double rounding = 1e-13;

class GravityTest : public ::testing::Test {
 protected:
  Handle<Gravity> add(const std::string& name, std::vector<MassPoint> bodies) {
    return model.add<Gravity>({.name = name, .acceleration = g, .bodies = std::move(bodies)});
  }
  std::string refusal(std::vector<MassPoint> bodies) {
    return message_of<ModelError>([&] { add("g", std::move(bodies)); });
  }

  support::Random random{9};
  Model model{"m"};
  FrameNode frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode other = model.add_frame("other", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  Vec3 g{1.0, -9.81, 2.0};
  Vec3 offset{0.2, 0.5, -0.3};
  Vector at_rest = Vector::Zero(model.velocity_count());
};

TEST_F(GravityTest, DerivativesAreExact) {
  support::expect_exact_tangents(model, *add("centred", {{frame, 2.0}, {point, 3.0}}));
  support::expect_exact_tangents(model, *add("offset", {{point, 3.0}, {{frame, offset}, 2.0}, {other, 1.0}}));
}

TEST_F(GravityTest, ActsOnBodiesByTheirMassPoints) {
  const auto body = model.add<RigidBody>({.name = "body",
                                          .node = frame,
                                          .mass = 2.0,
                                          .inertia = inertia::sphere(2.0, 1.0),
                                          .centre_of_mass = offset});
  const auto ball = model.add<PointMass>({.name = "ball", .node = point, .mass = 3.0});
  const auto gravity = add("gravity", {body->mass_point(), ball->mass_point()});
  const Vector f = support::force(*gravity, model.initial_configuration(), at_rest);
  expect_near(f.head<3>(), 2.0 * g, rounding, "weight of the body");
  expect_near(f.tail<3>(), 3.0 * g, rounding, "weight of the ball");
}

TEST_F(GravityTest, GivesAFallingBodyItsAcceleration) {
  const Vec3 c = offset;
  const auto body = model.add<RigidBody>({.name = "body",
                                          .node = frame,
                                          .mass = 2.0,
                                          .inertia = inertia::sphere(2.0, 1.0),
                                          .centre_of_mass = c});
  const auto gravity = add("gravity", {body->mass_point()});
  const Configuration& q = model.initial_configuration();
  Vector expected(6);
  expected << g, Vec3::Zero();
  expect_near(support::mass(*body, q) * expected, support::force(*gravity, q, at_rest), rounding,
              "mass times acceleration");
}

TEST_F(GravityTest, PotentialIsWeightTimesHeight) {
  g = {0, 0, -10};
  const auto gravity = add("gravity", {{{frame, offset}, 2.0}, {point, 3.0}});
  const Configuration& q = model.initial_configuration();
  Vector up = Vector::Zero(model.velocity_count());
  up[frame.v + 2] = 0.5;
  up[point.v + 2] = 0.25;
  const double rise =
      gravity->potential_energy(support::moved(model, q, up), 0.0) - gravity->potential_energy(q, 0.0);
  EXPECT_NEAR(rise, 2 * 10 * 0.5 + 3 * 10 * 0.25, rounding * 100);
}

TEST_F(GravityTest, BodiesOfOneNodeAreTakenTogether) {
  const auto together = add("together", {{{frame, offset}, 2.0}, {point, 3.0}, {frame, 1.0}});
  const auto first = add("first", {{{frame, offset}, 2.0}, {point, 3.0}});
  const auto second = add("second", {{frame, 1.0}});
  EXPECT_EQ(together->dof_count(), 9);
  const Configuration& q = model.initial_configuration();
  Vector expected = support::force(*first, q, at_rest);
  expected.head<6>() += support::force(*second, q, at_rest);
  expect_near(support::force(*together, q, at_rest), expected, rounding, "force");
  EXPECT_NEAR(together->potential_energy(q, 0.0),
              first->potential_energy(q, 0.0) + second->potential_energy(q, 0.0), rounding * 100);
  support::expect_exact_tangents(model, *together);
}

TEST_F(GravityTest, TurnsWithTheField) {
  const auto gravity = add("gravity", {{{frame, offset}, 2.0}, {point, 3.0}});
  const support::RigidMotion motion(random);
  const Configuration& q = model.initial_configuration();
  g = motion.Q * g;
  const auto turned = add("turned", {{{frame, offset}, 2.0}, {point, 3.0}});
  expect_near(support::force(*turned, motion(model, q), at_rest),
              motion.turn(*gravity) * support::force(*gravity, q, at_rest), rounding, "force");
}

TEST_F(GravityTest, RefusesWhatHasNoWeight) {
  EXPECT_EQ(refusal({}), "gravity \"g\": bodies is empty, nothing has weight");
  EXPECT_EQ(refusal({{frame, 1.0}, {point, 0.0}}),
            "gravity \"g\": mass of bodies[1] is 0 kg, must be positive");
  EXPECT_EQ(refusal({{frame, nan}}), "gravity \"g\": mass of bodies[0] is nan kg, must be a finite number");
}

TEST_F(GravityTest, RefusesPointsOfNoBody) {
  EXPECT_EQ(refusal({{FrameNode{}, 1.0}}), "gravity \"g\": bodies[0] is not a node of model \"m\"");
  MaterialPoint shifted(point);
  shifted.offset = offset;
  EXPECT_EQ(refusal({{shifted, 1.0}}),
            "gravity \"g\": bodies[0] has an offset from a point node, which has no axes");
  EXPECT_EQ(refusal({{{frame, {0, nan, 0}}, 1.0}}),
            "gravity \"g\": offset of bodies[0][1] is nan m, must be a finite number");
  shifted.node = model.add_scalar("angle");
  EXPECT_EQ(refusal({{shifted, 1.0}}),
            "gravity \"g\": bodies[0] is a scalar node, must be a frame or a point");
}

TEST_F(GravityTest, RefusesAMissingAcceleration) {
  EXPECT_EQ(message_of<ModelError>([&] {
              model.add<Gravity>({.name = "g", .bodies = {{frame, 1.0}}});
            }),
            "gravity \"g\": acceleration[0] is nan m/s2, must be a finite number");
}

TEST_F(GravityTest, RefusesMoreBodiesThanAnElementHolds) {
  std::vector<MassPoint> bodies;
  for (int i = 0; i < 17; ++i) bodies.push_back({model.add_frame(fmt::format("frame {}", i)), 1.0});
  EXPECT_EQ(
      refusal(bodies),
      "gravity \"g\": its bodies have 102 velocity components, more than the 96 of one element; add_gravity "
      "makes as many elements as are needed");
}

}  // namespace
}  // namespace picus::gravity_test
