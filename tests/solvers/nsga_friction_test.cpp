// Friction: blocks that slide, stick, and are carried by belts and turntables.

#include "runs.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>

#include <numbers>

namespace picus::nsga_friction_test {
namespace {

constexpr double g = 9.81;
constexpr double mu = 0.3;

/// The contact normal is z, the friction directions are x and y.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

/// A block on a plane at rest, gravity as given.
struct BlockOnPlane {
  BlockOnPlane(const Vec3& velocity, const Vec3& gravity, double coefficient = mu, double mass = 1) {
    block = model.add_point("block", {.velocity = velocity});
    model.add<support::PointMass>({.name = "mass", .node = block, .mass = mass, .gravity = gravity});
    model.add<support::PlaneContact>(
        {.name = "plane", .point = block, .axes = upwards(), .law = {.mu = coefficient}});
  }
  Model model;
  PointNode block;
};

TEST(NsgaFriction, ASlidingBlockStopsWhereItShould) {
  const Vec3 v_0(1.2, -0.9, 0);
  const double distance = v_0.squaredNorm() / (2 * mu * g);
  for (const double h : {8e-3, 4e-3, 2e-3, 1e-3, 5e-4}) {
    const BlockOnPlane sliding(v_0, {0, 0, -g});
    const State state = run(System(sliding.model), {.step = h}, 0.8);
    const Vec3 x = state.q.position(sliding.block);
    EXPECT_LE(x.cross(v_0).norm(), 1e-7) << "it slides straight";
    EXPECT_LE(state.v.norm(), 1e-8) << "it has stopped";
    EXPECT_EQ(state.contact_state[0], ContactState::stick);
    EXPECT_NEAR(state.contact_slip.tail<2>().norm(), x.norm(), 1e-7);
    EXPECT_NEAR(x.norm(), distance, v_0.norm() * h) << "to within the motion of a step";
  }
}

TEST(NsgaFriction, TheForceOfASlidingBlockIsAgainstItsMotion) {
  const Vec3 v_0(0.8, 0.6, 0);
  const BlockOnPlane sliding(v_0, {0, 0, -g}, mu, 2.5);
  DecoupledNsga integrator({.step = 1e-3});
  run(System(sliding.model), integrator, 200, [&](const State& state, const StepReport&) {
    const Vec3 force = state.contact_impulse / 1e-3;
    EXPECT_EQ(state.contact_state[0], ContactState::slip);
    EXPECT_NEAR(force[0], 2.5 * g, 1e-6);
    EXPECT_LE((force.tail<2>() + mu * 2.5 * g * v_0.head<2>()).norm(), 1e-6);
  });
}

TEST(NsgaFriction, ABlockOnASlopeSticksWithoutCreepOrSlides) {
  const double friction_angle = std::atan(mu);
  for (const double part : {0.5, 0.99, 1.01, 1.5}) {
    const double angle = part * friction_angle;
    const Vec3 gravity = g * Vec3(std::sin(angle), 0, -std::cos(angle));
    const BlockOnPlane slope(Vec3::Zero(), gravity);
    const State state = run(System(slope.model), {.step = 1e-3}, 1.0);
    const double x = state.q.position(slope.block).x();
    if (part < 1) {
      EXPECT_LE(std::abs(x), 1e-10) << "a thousand steps at position level";
      EXPECT_LE(state.v.norm(), 1e-9);
      EXPECT_EQ(state.contact_state[0], ContactState::stick);
    } else {
      const double exact = (gravity.x() + mu * gravity.z()) / 2;
      EXPECT_NEAR(x, exact, 2e-3 * exact) << "first order in the step";
      EXPECT_EQ(state.contact_state[0], ContactState::slip);
    }
  }
}

TEST(NsgaFriction, WithoutFrictionABlockSlidesForEver) {
  const BlockOnPlane ice({0.7, 0.2, 0}, {0, 0, -g}, 0.0);
  const State state = run(System(ice.model), {.step = 1e-3}, 1.0);
  EXPECT_LE((state.q.position(ice.block) - Vec3(0.7, 0.2, 0)).norm(), 1e-9);
  EXPECT_LE((Vec3(state.v) - Vec3(0.7, 0.2, 0)).norm(), 1e-9);
}

/// A block on a face that moves with a frame.
struct BlockOnFace {
  explicit BlockOnFace(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
    face = model.add_frame("belt");
    block = model.add_point("block", {.position = position, .velocity = velocity});
    model.add<support::PointMass>({.name = "mass", .node = block, .mass = mass, .gravity = {0, 0, -g}});
    model.add<support::FaceContact>(
        {.name = "contact", .point = block, .face = face, .axes = upwards(), .law = {.mu = mu}});
  }
  void drive(Component component, const PrescribedMotion& motion) {
    model.drive(face, component, motion);
    for (const Component other :
         {Component::x, Component::y, Component::z, Component::rx, Component::ry, Component::rz}) {
      if (other != component) model.fix(face, {other});
    }
  }
  static constexpr double mass = 1.7;
  Model model;
  FrameNode face;
  PointNode block;
};

TEST(NsgaFriction, ABeltAcceleratesABlockAndThenCarriesIt) {
  constexpr double speed = 1.5;
  constexpr double h = 1e-3;
  BlockOnFace belt(Vec3::Zero());
  belt.drive(Component::x, PrescribedMotion::constant_speed(speed));
  const System system(belt.model);
  DecoupledNsga integrator({.step = h});
  const double catch_up = speed / (mu * g);
  const State state = run(system, integrator, 1000, [&](const State& now, const StepReport&) {
    const double drive = now.reaction[belt.face.v];
    EXPECT_NEAR(now.reaction[belt.face.v + 2], belt.mass * g, 1e-6)
        << "the belt's support carries the weight";
    if (now.time < catch_up - 2 * h) {
      EXPECT_EQ(now.contact_state[0], ContactState::slip);
      EXPECT_NEAR(now.v[belt.block.v], mu * g * now.time, 1e-6);
      EXPECT_NEAR(drive, mu * belt.mass * g, 1e-6) << "what the motor must pull with";
    } else if (now.time > catch_up + 2 * h) {
      EXPECT_EQ(now.contact_state[0], ContactState::stick);
      EXPECT_NEAR(now.v[belt.block.v], speed, 1e-7);
      EXPECT_NEAR(drive, 0.0, 1e-4);
    }
  });
  EXPECT_NEAR(state.q.position(belt.face).x(), speed, 1e-12);
  const double lag = speed * catch_up / 2;
  EXPECT_NEAR(state.q.position(belt.block).x(), speed - lag, speed * h);
  EXPECT_NEAR(state.contact_slip[1], -lag, speed * h) << "measured on the belt";
}

TEST(NsgaFriction, ATurntableCarriesABlockAroundWithoutSlip) {
  // The friction limit mu g exceeds w^2 r; after two turns the block is where it was, relative to the table.
  constexpr double w = 2.0;
  BlockOnFace table({0.5, 0, 0}, {0, 0.5 * w, 0});
  table.drive(Component::rz, PrescribedMotion::constant_speed(w));
  const System system(table.model);
  DecoupledNsga integrator({.step = 1e-3});
  const int steps = static_cast<int>(std::lround(2 * 2 * std::numbers::pi / w / 1e-3));
  const State state = run(system, integrator, steps, [&](const State& now, const StepReport&) {
    EXPECT_EQ(now.contact_state[0], ContactState::stick);
    const Vec3 on_table = now.q.rotation(table.face).transpose() * now.q.position(table.block);
    EXPECT_LE((on_table - Vec3(0.5, 0, 0)).norm(), 1e-8);
  });
  const double force = state.contact_impulse.tail<2>().norm() / 1e-3;
  EXPECT_NEAR(force, table.mass * w * w * 0.5, 1e-3 * force) << "the centripetal force is friction";
}

TEST(NsgaFriction, ATurntableTooFastLosesTheBlock) {
  constexpr double w = 4.0;
  BlockOnFace table({0.5, 0, 0}, {0, 0.5 * w, 0});
  table.drive(Component::rz, PrescribedMotion::constant_speed(w));
  const State state = run(System(table.model), {.step = 1e-3}, 1.0);
  EXPECT_GT(state.q.position(table.block).head<2>().norm(), 0.6);
}

TEST(NsgaFriction, OneFrictionDirectionLeavesTheOtherFree) {
  Model model;
  const auto block = model.add_point("block", {.velocity = {1, 1, 0}});
  model.add<support::PointMass>({.name = "mass", .node = block, .gravity = {0, 0, -g}});
  model.add<support::PlaneContact>(
      {.name = "rail", .point = block, .axes = upwards(), .law = {.mu = mu, .friction_directions = 1}});
  const State state = run(System(model), {.step = 1e-3}, 0.5);
  EXPECT_NEAR(state.v[0], 0.0, 1e-8);
  EXPECT_NEAR(state.v[1], 1.0, 1e-8);
  EXPECT_NEAR(state.q.position(block).y(), 0.5, 1e-8);
}

}  // namespace
}  // namespace picus::nsga_friction_test
