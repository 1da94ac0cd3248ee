#include "joint_models.hpp"
#include <picus/elements/joints/point_on_line.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

namespace picus {
namespace {

TEST(PointOnLine, TakesEveryKindOfEnd) {
  support::Random random{8};
  Model model;
  const auto a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  const auto b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  const auto p = model.add_point("p", {.position = random.vec3()});
  const auto r = model.add_point("r", {.position = random.vec3()});
  const auto s = model.add_scalar("s", {.value = 0.3});
  const MaterialPoint ground = MaterialPoint::on_ground(random.vec3());
  for (const auto& [end_a, end_b] : std::vector<std::pair<MaterialPoint, MaterialPoint>>{
           {{a, random.vec3()}, p}, {p, {b, random.vec3()}}, {p, r}, {ground, p}, {p, ground}}) {
    const auto joint = model.add<PointOnLine>({.name = "J" + std::to_string(model.elements().size()),
                                               .a = end_a,
                                               .b = end_b,
                                               .axis = random.direction(),
                                               .displacement = s});
    EXPECT_EQ(joint->row_count(), 3);
    EXPECT_GT(joint_models::least_singular_value(*joint, model.initial_configuration()), 0.9);
    support::expect_exact_tangents(model, *joint);
  }
}

/// A bead on a line that rotates at the rate omega moves outwards as r_0 cosh(omega t).
TEST(PointOnLine, ABeadOnATurningLineGoesOut) {
  constexpr double omega = 3.0, r_0 = 0.1;
  const auto error = [&](double h) {
    Model model;
    const auto line = model.add_frame("line", {.angular_velocity = {0, 0, omega}});
    model.fix(line, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
    model.drive(line, Component::rz, PrescribedMotion::constant_speed(omega));
    const auto bead = joint_models::add_mass(
        model, "bead", 0.3, {.position = {r_0, 0, 0}, .velocity = {0, r_0 * omega, 0}}, Vec3::Zero());
    const auto joint = model.add<PointOnLine>({.name = "J", .a = line, .b = bead, .axis = Vec3::UnitX()});
    double worst = 0;
    joint_models::run(model, {.step = h}, 1.0, [&](const State& state) {
      const double phi = omega * state.time;
      const Vec3 exact = r_0 * std::cosh(phi) * Vec3(std::cos(phi), std::sin(phi), 0);
      const Vector values = joint_models::observed(*joint, state);
      worst = std::max({worst, (state.q.position(bead) - exact).norm(),
                        std::abs(values[0] - r_0 * (std::cosh(phi) - 1)),
                        std::abs(values[1] - r_0 * omega * std::sinh(phi))});
    });
    return worst;
  };
  joint_models::expect_second_order(error, 4e-3);
}

TEST(PointOnLine, NamesTheEquationThatNothingCanRepair) {
  Model model;
  const auto bead = joint_models::add_mass(model, "bead", 1.0, {.position = {1, 0, 0}});
  model.add<PointOnLine>(
      {.name = "first", .a = MaterialPoint::on_ground({0, 0, 0}), .b = bead, .axis = Vec3::UnitX()});
  model.add<PointOnLine>(
      {.name = "second", .a = MaterialPoint::on_ground({0, 0, 1}), .b = bead, .axis = Vec3::UnitX()});
  const std::string message =
      support::message_of<SolverError>([&] { joint_models::run(model, {.step = 1e-3}, 1e-3); });
  EXPECT_TRUE(message.starts_with("constraints contradict each other by 1: ")) << message;
  EXPECT_NE(message.find("\"first\""), std::string::npos) << message;
  EXPECT_NE(message.find("\"second\""), std::string::npos) << message;
}

}  // namespace
}  // namespace picus
