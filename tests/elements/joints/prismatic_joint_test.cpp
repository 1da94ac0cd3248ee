#include "joint_models.hpp"
#include <picus/elements/forces/scalar_load.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>

namespace picus::prismatic_joint_test {
namespace {

using joint_models::run;

constexpr double g = 9.81;

/// A body on an inclined rail of the ground; its centre of mass is off the rail.
struct Slider {
  explicit Slider(const Vec3& gravity = joint_models::gravity) {
    node = joint_models::add_body(model, "slider", mass, inertia::box(mass, {0.1, 0.2, 0.3}),
                                  {.position = {1, 2, 3}, .rotation = R}, gravity);
    joint = &*model.add<PrismaticJoint>({.name = "rail",
                                         .a = MaterialPoint::on_ground(on_rail - 0.5 * axis),
                                         .b = {node, R.transpose() * (on_rail - Vec3(1, 2, 3))},
                                         .axis = 2 * axis,
                                         .displacement = s});
  }
  /// Position of the slider along the rail.
  double travel(const State& state) const { return (state.q.position(node) - Vec3(1, 2, 3)).dot(axis); }
  void expect_no_turn_and_no_side_step(const State& state) const {
    support::expect_near(state.q.rotation(node), R, 1e-13, "rotation");
    const Vec3 moved = state.q.position(node) - Vec3(1, 2, 3);
    support::expect_near(moved - moved.dot(axis) * axis, Vec3::Zero(), 1e-13, "motion across the rail");
  }

  static constexpr double mass = 1.7;
  Vec3 axis = Vec3(0.6, 0, -0.8);
  Vec3 on_rail = Vec3(1.1, 2.3, 2.9);
  Mat3 R = so3::exp({0.5, -1, 2});
  Model model;
  ScalarNode s = model.add_scalar("s", {.value = 0.5});
  FrameNode node;
  const PrismaticJoint* joint = nullptr;
};

TEST(PrismaticJoint, FallsFreelyAlongItsAxis) {
  const Slider slider;
  run(slider.model, {.step = 0.01}, 1.0, [&](const State& state) {
    // Constant acceleration: the scheme is exact up to its tolerance.
    const double exact = 0.8 * g * state.time * state.time / 2;
    EXPECT_NEAR(slider.travel(state), exact, 1e-12);
    EXPECT_NEAR(state.q.value(slider.s), 0.5 + exact, 1e-12);
    const Vector values = joint_models::observed(*slider.joint, state);
    EXPECT_NEAR(values[0], 0.5 + exact, 1e-12);
    EXPECT_NEAR(values[1], 0.8 * g * state.time, 1e-11);
    slider.expect_no_turn_and_no_side_step(state);
  });
}

TEST(PrismaticJoint, FallsFreelyWithoutACoordinate) {
  Model model;
  const auto body = joint_models::add_body(model, "body", 1.0, inertia::sphere(1.0, 0.1), {});
  const auto joint = model.add<PrismaticJoint>(
      {.name = "J", .a = MaterialPoint::on_ground({0, 0, 2}), .b = body, .axis = Vec3::UnitZ()});
  EXPECT_EQ(joint->row_count(), 5);
  run(model, {.step = 0.01}, 0.5, [&](const State& state) {
    const Vector values = joint_models::observed(*joint, state);
    EXPECT_NEAR(values[0], -g * state.time * state.time / 2, 1e-12) << "counted from the start";
    EXPECT_NEAR(values[1], -g * state.time, 1e-11);
  });
}

TEST(PrismaticMotor, GivenDisplacementsMoveTheBodyAndCostTheirForce) {
  constexpr double acceleration = 3.0;
  Slider slider;
  slider.model.drive(slider.s, Component::s,
                     {.displacement = [](double t) { return acceleration * t * t / 2; },
                      .rate = [](double t) { return acceleration * t; },
                      .acceleration = [](double) { return acceleration; }});
  run(slider.model, {.step = 1e-3}, 1.0, [&](const State& state) {
    EXPECT_NEAR(slider.travel(state), acceleration * state.time * state.time / 2, 1e-12);
    slider.expect_no_turn_and_no_side_step(state);
    if (state.step < 1) return;
    EXPECT_NEAR(state.reaction[slider.s.v], Slider::mass * (acceleration - 0.8 * g), 1e-9);
  });
}

TEST(PrismaticMotor, AForceOnTheDisplacementMovesTheBody) {
  constexpr double force = 5.0;
  Slider slider;
  slider.model.add<ScalarLoad>({.name = "motor", .node = slider.s, .load = force});
  run(slider.model, {.step = 0.01}, 1.0, [&](const State& state) {
    const double acceleration = force / Slider::mass + 0.8 * g;
    EXPECT_NEAR(slider.travel(state), acceleration * state.time * state.time / 2, 1e-11);
  });
}

TEST(PrismaticMotor, ASpringOnTheDisplacementMakesAnOscillator) {
  constexpr double stiffness = 60.0;
  const auto error = [&](double h) {
    Slider slider(Vec3::Zero());
    slider.model.add<TorsionalSpringDamper>({.name = "spring", .node = slider.s, .stiffness = stiffness});
    const double frequency = std::sqrt(stiffness / Slider::mass);
    double worst = 0;
    run(slider.model, {.step = h}, 1.0, [&](const State& state) {
      const double exact = 0.5 * std::cos(frequency * state.time);
      worst = std::max(worst, std::abs(state.q.value(slider.s) - exact));
    });
    return worst;
  };
  joint_models::expect_second_order(error, 2e-3);
}

TEST(PrismaticJoint, BringsABodyThatStartsOffTheRailOntoIt) {
  Model model;
  const auto body =
      joint_models::add_body(model, "body", 1.0, inertia::sphere(1.0, 0.1), {.position = {0.1, 0.2, 0}});
  const auto joint = model.add<PrismaticJoint>(
      {.name = "J", .a = MaterialPoint::on_ground({0, 0, 0}), .b = body, .axis = Vec3::UnitZ()});
  const RunSummary summary = run(model, {.step = 0.01}, 0.1);
  support::expect_near(summary.final_state.q.position(body).head<2>(), Vec3::Zero().head<2>(), 1e-13,
                       "position across the rail");
  EXPECT_EQ(joint->row_count(), 5);
}

TEST(PrismaticJoint, RefusesAStartOffTheRailThatNothingCanRepair) {
  Model model;
  const auto held = model.add_frame("held", {.position = {0.1, 0, 0}});
  joint_models::add_body(model, "free", 1.0, inertia::sphere(1.0, 0.1), {});
  model.fix(held);
  model.add<PrismaticJoint>(
      {.name = "J", .a = MaterialPoint::on_ground({0, 0, 0}), .b = held, .axis = Vec3::UnitZ()});
  const std::string message = support::message_of<ModelError>([&] { run(model, {.step = 0.01}, 0.1); });
  EXPECT_NE(message.find("constraint \"J\""), std::string::npos) << message;
  EXPECT_NE(message.find("is violated by 0.1 at the start, and it binds fixed or driven components only"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace picus::prismatic_joint_test
