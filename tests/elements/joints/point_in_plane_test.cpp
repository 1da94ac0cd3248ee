#include "joint_models.hpp"
#include <picus/elements/joints/point_in_plane.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

namespace picus::point_in_plane_test {
namespace {

constexpr double g = 9.81;

TEST(PointInPlane, TakesEveryKindOfEnd) {
  support::Random random{9};
  Model model;
  const auto a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  const auto b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  const auto p = model.add_point("p", {.position = random.vec3()});
  const auto r = model.add_point("r", {.position = random.vec3()});
  const auto y = model.add_scalar("y", {.value = 0.3});
  const MaterialPoint ground = MaterialPoint::on_ground(random.vec3());
  for (const auto& [end_a, end_b] : std::vector<std::pair<MaterialPoint, MaterialPoint>>{
           {{a, random.vec3()}, p}, {p, {b, random.vec3()}}, {p, r}, {ground, p}, {p, ground}}) {
    const auto joint = model.add<PointInPlane>({.name = "J" + std::to_string(model.elements().size()),
                                                .a = end_a,
                                                .b = end_b,
                                                .normal = random.direction(),
                                                .y = y});
    EXPECT_EQ(joint->row_count(), 2);
    EXPECT_GT(joint_models::least_singular_value(*joint, model.initial_configuration()), 0.9);
    support::expect_exact_tangents(model, *joint);
  }
}

/// A point thrown on an inclined plane follows a parabola in it.
TEST(PointInPlane, AThrownPointFliesAParabola) {
  constexpr double slope = 0.6;
  const Vec3 down(std::cos(slope), 0, -std::sin(slope));
  const Vec3 normal(std::sin(slope), 0, std::cos(slope));
  Model model;
  const Vec3 v_0 = 1.5 * Vec3::UnitY() - 2.0 * down;
  const auto ball = joint_models::add_mass(model, "ball", 0.7, {.velocity = v_0});
  const auto joint = model.add<PointInPlane>({.name = "J",
                                              .a = MaterialPoint::on_ground(3 * down),
                                              .b = ball,
                                              .normal = normal,
                                              .tangent = Vec3(1, 0, 0)});
  joint_models::run(model, {.step = 0.01}, 1.0, [&](const State& state) {
    const double t = state.time;
    const double along = -2.0 * t + g * std::sin(slope) * t * t / 2;
    const Vector values = joint_models::observed(*joint, state);
    // Constant acceleration is solved exactly up to the tolerance.
    EXPECT_NEAR(values[0], along, 1e-11);
    EXPECT_NEAR(values[2], 1.5 * t, 1e-11);
    EXPECT_LT((state.q.position(ball) - along * down - 1.5 * t * Vec3::UnitY()).norm(), 1e-11);
    EXPECT_NEAR(state.constraint_force[0], 0.7 * g * std::cos(slope), 1e-9);
  });
}

/// A point on an oscillating plane is subject to its acceleration.
TEST(PointInPlane, AShakingPlaneCarriesThePoint) {
  constexpr double amplitude = 0.05, omega = 7.0, mass = 0.7, h = 1e-3;
  Model model;
  const auto table = model.add_frame("table", {.velocity = {0, 0, amplitude * omega}});
  model.fix(table, {Component::x, Component::y, Component::rx, Component::ry, Component::rz});
  model.drive(table, Component::z,
              {.displacement = [](double t) { return amplitude * std::sin(omega * t); },
               .rate = [](double t) { return amplitude * omega * std::cos(omega * t); },
               .acceleration = [](double t) { return -amplitude * omega * omega * std::sin(omega * t); }});
  const auto ball = joint_models::add_mass(model, "ball", mass,
                                           {.position = {1, 2, 0}, .velocity = {1, 0, amplitude * omega}});
  model.add<PointInPlane>({.name = "J", .a = table, .b = ball, .normal = Vec3::UnitZ()});
  joint_models::run(model, {.step = h}, 1.0, [&](const State& state) {
    const double wave = amplitude * std::sin(omega * state.time);
    // The tolerance, 1e-8 of the motion over a step.
    EXPECT_NEAR(state.q.position(ball).z(), wave, 1e-10);
    EXPECT_NEAR(state.q.position(ball).x(), 1 + state.time, 1e-10);
    // The force at some time within the step, whose motion is given by mean values.
    EXPECT_NEAR(state.constraint_force[0], mass * (g - omega * omega * wave),
                mass * amplitude * omega * omega * omega * h);
  });
}

TEST(PointInPlane, RefusesATangentAlongTheNormal) {
  Model model;
  const auto b = model.add_point("b");
  EXPECT_EQ(support::message_of<ModelError>([&] {
              model.add<PointInPlane>({.name = "P",
                                       .a = MaterialPoint::on_ground(Vec3::Zero()),
                                       .b = b,
                                       .normal = Vec3::UnitZ(),
                                       .tangent = Vec3(0, 0, -2)});
            }),
            "point in plane \"P\": tangent is along the normal");
}

}  // namespace
}  // namespace picus::point_in_plane_test
