// The number of modes that remain under constraints and closed contacts, some of which are redundant.

#include "modes.hpp"
#include <picus/picus.hpp>
#include <support/rods.hpp>

#include <gtest/gtest.h>

namespace picus::held_modes_test {
namespace {

using support::Rod;
using support::Spring;

/// 0: Lanczos where the problem is large enough, otherwise the dense method.
constexpr std::array dense_limits = {0, 400};

/// A block of 2 kg on four corners, of which three would suffice, between springs along x and z that meet at its centre.
struct Block {
  static constexpr double m = 2.0, k_x = 50.0, k_z = 18.0;
  explicit Block(double mu, bool has_springs = true, bool turns = true) : model("block") {
    node = model.add_frame("block", {.position = {0, 0.1, 0}});
    const auto body = model.add<RigidBody>(
        {.name = "body", .node = node, .mass = m, .inertia = inertia::box(m, Vec3(0.4, 0.2, 0.4))});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = {body->mass_point()}});
    for (int i = 0; i < 4; ++i) {
      const Vec3 corner(i % 2 == 0 ? -0.2 : 0.2, -0.1, i < 2 ? -0.2 : 0.2);
      model.add<NodeToFaceContact>({.name = numbered("corner", i),
                                    .slave = {node, corner},
                                    .face = {.normal = Vec3::UnitY()},
                                    .mu = mu});
    }
    if (!turns) model.fix(node, {Component::ry});
    if (!has_springs) return;
    for (const auto& [name, end, k] :
         {std::tuple("x", Vec3(1, 0.1, 0), k_x), std::tuple("z", Vec3(0, 0.1, 1), k_z)}) {
      const PointNode wall = model.add_point(name, {.position = end});
      model.fix(wall);
      model.add<Spring>({.name = std::string("spring along ") + name, .a = wall, .b = node, .stiffness = k});
    }
  }
  Model model;
  FrameNode node;
};

TEST(HeldModes, RedundantContactsThatStickLeaveNone) {
  for (const bool has_springs : {true, false}) {
    const Block block(0.5, has_springs);
    const System system(block.model);
    const State state = find_equilibrium(system);
    for (const int limit : dense_limits) {
      const VibrationModes modes = find_vibration_modes(system, state, {.dense_limit = limit});
      EXPECT_EQ(modes.eigenvalues.size(), 0);
      EXPECT_EQ(modes.shapes.rows(), 6 + 6 * int{has_springs});
      EXPECT_EQ(modes.shapes.cols(), 0);
    }
    EXPECT_EQ(find_rotating_modes(system, state, {}).eigenvalues.size(), 0);
  }
}

TEST(HeldModes, RedundantContactsWithoutFrictionLeaveTheOthers) {
  const Block block(0.0, true, false);
  const System system(block.model);
  const State state = find_equilibrium(system);
  for (const int limit : dense_limits) {
    const VibrationModes modes = find_vibration_modes(system, state, {.dense_limit = limit});
    ASSERT_EQ(modes.eigenvalues.size(), 2);
    EXPECT_NEAR(modes.eigenvalues[0], Block::k_z / Block::m, balanced * 9);
    EXPECT_NEAR(modes.eigenvalues[1], Block::k_x / Block::m, balanced * 25);
  }
  // In a frame at rest the same, each with s = i w.
  const RotatingModes rotating = find_rotating_modes(system, state, {});
  ASSERT_EQ(rotating.eigenvalues.size(), 2);
  EXPECT_NEAR(rotating.eigenvalues[0].imag(), 3.0, balanced * 3);
  EXPECT_NEAR(rotating.eigenvalues[1].imag(), 5.0, balanced * 5);
}

/// The same block as a box on a floor, whose contacts are found: four corners, of which three would suffice.
TEST(HeldModes, ContactsThatAreFoundHoldLikeDeclaredOnes) {
  const Block block(0.0, true, false);
  Model found("found");
  const FrameNode node = found.add_frame("block", {.position = {0, 0.1, 0}});
  const auto body = found.add<RigidBody>({.name = "body",
                                          .node = node,
                                          .mass = Block::m,
                                          .inertia = inertia::box(Block::m, Vec3(0.4, 0.2, 0.4))});
  found.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = {body->mass_point()}});
  found.add<Surface>({.name = "floor", .of = shapes::HalfSpace{Vec3::UnitY()}});
  found.add<Surface>({.name = "box", .of = shapes::Box{{0.4, 0.2, 0.4}}, .on = node});
  found.add<ContactsBetween>({.name = "all"});
  found.fix(node, {Component::ry});
  for (const auto& [name, end, k] :
       {std::tuple("x", Vec3(1, 0.1, 0), Block::k_x), std::tuple("z", Vec3(0, 0.1, 1), Block::k_z)}) {
    const PointNode wall = found.add_point(name, {.position = end});
    found.fix(wall);
    found.add<Spring>({.name = std::string("spring along ") + name, .a = wall, .b = node, .stiffness = k});
  }
  StaticEquilibrium statics;
  const RunSummary run = simulate(found, statics, {.until = 1.0}, {});
  const SystemAtState at(found, run.final_state);
  EXPECT_EQ(at.system().contacts().size(), 4u);
  for (const int limit : dense_limits) {
    const VibrationModes modes = find_vibration_modes(at.system(), run.final_state, {.dense_limit = limit});
    ASSERT_EQ(modes.eigenvalues.size(), 2);
    EXPECT_NEAR(modes.eigenvalues[0], Block::k_z / Block::m, balanced * 9);
    EXPECT_NEAR(modes.eigenvalues[1], Block::k_x / Block::m, balanced * 25);
  }
  // A state of another model is refused, as is one without its contacts.
  EXPECT_THROW(SystemAtState(block.model, run.final_state), ModelError);
  State without = run.final_state;
  without.found_contacts.clear();
  EXPECT_THROW(SystemAtState(found, without), ModelError);
}

/// A ball of 2 kg that falls into a gutter of two planes without friction, inclined by `angle` against each other, with
/// springs across, of 80 N/m, and above, of 30 N/m.
Model make_gutter(double angle) {
  Model model("gutter");
  const PointNode ball = model.add_point("ball");
  const PointNode side = model.add_point("side", {.position = {1, 0, 0}});
  const PointNode wall = model.add_point("wall", {.position = {0, 1, 0}});
  model.fix(side);
  model.fix(wall);
  model.fix(ball, {Component::z});
  const auto mass = model.add<PointMass>({.name = "mass", .node = ball, .mass = 2.0});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = {mass->mass_point()}});
  model.add<Spring>({.name = "across", .a = side, .b = ball, .stiffness = 80.0});
  model.add<Spring>({.name = "up", .a = wall, .b = ball, .stiffness = 30.0});
  for (const double side_of : {-0.5, 0.5}) {
    const double turn = side_of * angle;
    model.add<NodeToFaceContact>({.name = side_of < 0 ? "left" : "right",
                                  .slave = ball,
                                  .face = {.normal = {std::sin(turn), std::cos(turn), 0}}});
  }
  return model;
}

TEST(HeldModes, OneIsLeftByPlanesOnEachOtherAndNoneByAGutter) {
  const VibrationModes one = modes_of(make_gutter(0.0));
  ASSERT_EQ(one.eigenvalues.size(), 1);
  EXPECT_NEAR(one.eigenvalues[0], 40.0, balanced * 40);
  for (const double angle : {0.01, 1.0}) EXPECT_EQ(modes_of(make_gutter(angle)).eigenvalues.size(), 0);
  const VibrationModes open = modes_of(make_gutter(1.0), {.holds_contacts = false});
  ASSERT_EQ(open.eigenvalues.size(), 2);
  EXPECT_NEAR(open.eigenvalues[0], 15.0, balanced * 15);
  EXPECT_NEAR(open.eigenvalues[1], 40.0, balanced * 40);
}

/// A mass that rods hold in all directions but one, or in all, and beside it a node without mass between two springs.
Model make_held_mass(bool is_free_along_x) {
  Model model("held mass");
  const PointNode bob = model.add_point("bob");
  const PointNode knot = model.add_point("knot", {.position = {1, 0, 0}});
  const PointNode wall = model.add_point("wall", {.position = {3, 0, 0}});
  model.fix(wall);
  model.fix(knot, {Component::y, Component::z});
  model.add<PointMass>({.name = "mass", .node = bob, .mass = 0.5});
  model.add<Spring>({.name = "near", .a = bob, .b = knot, .length = 1.0, .stiffness = 6.0});
  model.add<Spring>({.name = "far", .a = knot, .b = wall, .length = 2.0, .stiffness = 3.0});
  int count = 0;
  for (const Vec3& end : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, -1, 0), Vec3(-1, 0, 0)}) {
    if (is_free_along_x && end.x() != 0) continue;
    const PointNode anchor = model.add_point(numbered("anchor", count), {.position = end});
    model.fix(anchor);
    model.add<Rod>({.name = numbered("rod", count++), .a = anchor, .b = bob});
  }
  return model;
}

TEST(HeldModes, MotionsWithoutMassAreNone) {
  EXPECT_EQ(modes_of(make_held_mass(false)).eigenvalues.size(), 0);
  const VibrationModes one = modes_of(make_held_mass(true));  // springs in series
  ASSERT_EQ(one.eigenvalues.size(), 1);
  EXPECT_NEAR(one.eigenvalues[0], 2.0 / 0.5, balanced * 4);
}

}  // namespace
}  // namespace picus::held_modes_test
