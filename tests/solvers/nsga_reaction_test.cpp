// Reactions of fixed and driven components.

#include "runs.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/guides.hpp>
#include <support/random.hpp>
#include <support/rods.hpp>

namespace picus::nsga_reaction_test {
namespace {

constexpr double g = 9.81;

TEST(NsgaReaction, AFixedPivotCarriesTheWeightThatHangsOnIt) {
  Model model;
  const auto pivot = model.add_point("pivot");
  model.fix(pivot);
  const auto bob = model.add_point("bob", {.position = {0, 0, -0.7}});
  model.add<support::PointMass>({.name = "mass", .node = bob, .mass = 3, .gravity = {0, 0, -g}});
  model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob, .length = 0.7});
  const State state = run(System(model), {.step = 1e-3}, 0.1);
  EXPECT_LE((state.reaction.segment<3>(pivot.v) - Vec3(0, 0, 3 * g)).norm(), 1e-8);
  EXPECT_EQ(Vec3(state.reaction.segment<3>(bob.v)), Vec3::Zero()) << "free components are held by nothing";
}

TEST(NsgaReaction, AFixedBodyCarriesItsOwnWeight) {
  // The centre of mass lies off the node: there is a moment about it, in body axes.
  support::Random random(5);
  Model model;
  const auto body = model.add_frame("body", {.rotation = random.rotation()});
  const auto other = model.add_point("something that moves");
  model.add<support::PointMass>({.name = "other mass", .node = other});
  const Vec3 centre(0.2, -0.1, 0.3);
  const Vec3 gravity(1, 2, -g);
  model.add<support::OffsetBody>(
      {.name = "mass", .node = body, .mass = 2, .centre = centre, .gravity = gravity});
  model.fix(body);
  const State state = run(System(model), {.step = 1e-3}, 0.01);
  const Mat3 R = model.initial_configuration().rotation(body);
  EXPECT_LE((state.reaction.segment<3>(body.v) + 2 * gravity).norm(), 1e-9);
  EXPECT_LE((state.reaction.segment<3>(body.v + 3) + centre.cross(R.transpose() * (2 * gravity))).norm(),
            1e-9);
}

TEST(NsgaReaction, AFixedPlateCarriesWhatRestsOnIt) {
  Model model;
  const auto plate = model.add_frame("plate");
  model.fix(plate);
  const auto block = model.add_point("block", {.position = {0.4, -0.3, 0}});
  model.add<support::PointMass>({.name = "mass", .node = block, .mass = 2, .gravity = {0, 0, -g}});
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  model.add<support::FaceContact>(
      {.name = "contact", .point = block, .face = plate, .axes = axes, .law = {.mu = 0.5}});
  const State state = run(System(model), {.step = 1e-3}, 0.1);
  const Vec3 weight(0, 0, 2 * g);
  EXPECT_LE((state.reaction.segment<3>(plate.v) - weight).norm(), 1e-7);
  EXPECT_LE((state.reaction.segment<3>(plate.v + 3) - Vec3(0.4, -0.3, 0).cross(weight)).norm(), 1e-7);
}

TEST(NsgaReaction, AnImpactIsSharedWithTheSupportInFull) {
  Model model;
  const auto plate = model.add_frame("plate");
  model.fix(plate);
  const auto ball = model.add_point("ball", {.position = {0.0105, 0, 0}, .velocity = {-2, 0, 0}});
  model.add<support::PointMass>({.name = "mass", .node = ball, .mass = 2});
  model.add<support::FaceContact>({.name = "contact", .point = ball, .face = plate, .law = {.e_n = 0.5}});
  const System system(model);
  DecoupledNsga integrator({.step = 1e-3});
  double impulse = 0;
  run(system, integrator, 10,
      [&](const State& state, const StepReport&) { impulse += state.reaction[plate.v] * 1e-3; });
  // The mean force over the step times its length: the change of momentum, m (1 + e) v, transmitted to the ground.
  EXPECT_NEAR(impulse, 2 * 1.5 * 2, 1e-6);
}

TEST(NsgaReaction, ADrivenNodeIsHeldByTheForceThatMovesItsMass) {
  Model model;
  const auto shaker = model.add_point("shaker");
  const auto rider = model.add_scalar("something that moves");
  model.add<support::Oscillator>({.name = "rider", .node = rider});
  model.add<support::PointMass>({.name = "mass", .node = shaker, .mass = 2, .gravity = {0, 0, -g}});
  const PrescribedMotion motion = {.displacement = [](double t) { return 0.1 * t * t; },
                                   .rate = [](double t) { return 0.2 * t; },
                                   .acceleration = [](double) { return 0.2; }};
  model.drive(shaker, Component::z, motion);
  model.fix(shaker, {Component::x, Component::y});
  const State state = run(System(model), {.step = 1e-3}, 0.5);
  EXPECT_NEAR(state.reaction[shaker.v + 2], 2 * (g + 0.2), 1e-9);
  EXPECT_NEAR(state.q.position(shaker).z(), 0.1 * 0.25, 1e-13);
  EXPECT_NEAR(state.v[shaker.v + 2], 0.1, 1e-13);
}

TEST(NsgaReaction, ConstraintForceAndImpulseMakeUpTheReaction) {
  // The force in the rod, lambda + impulse/h, equals the reaction at its fixed end.
  Model model;
  const auto pivot = model.add_point("pivot");
  model.fix(pivot);
  const auto bob = model.add_point("bob", {.position = {0.7, 0, 0}});
  model.add<support::PointMass>({.name = "mass", .node = bob, .gravity = {0, 0, -g}});
  model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob, .length = 0.7});
  const System system(model);
  constexpr double h = 1e-2;
  DecoupledNsga integrator({.step = h});
  run(system, integrator, 100, [&](const State& state, const StepReport&) {
    const double thrust = state.constraint_force[0] + state.constraint_impulse[0] / h;
    const Vec3 expected = thrust / 0.7 * state.q.position(bob);
    EXPECT_LE((Vec3(state.reaction.segment<3>(pivot.v)) - expected).norm(), 1e-9 * (1 + std::abs(thrust)));
  });
}

}  // namespace
}  // namespace picus::nsga_reaction_test
