#include "joint_models.hpp"
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/point_on_line.hpp>
#include <picus/elements/joints/universal_joint.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>

#include <numbers>

namespace picus::universal_joint_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Two shafts at an angle beta: the driven one rotates by b with tan(b) = cos(beta) tan(a) if the arm of the driving
/// one starts perpendicular to both shafts.
TEST(UniversalJoint, TransmitsAsCardanFound) {
  constexpr double beta = 0.7, speed = 9.0;
  const Vec3 shaft_a = Vec3::UnitX();
  const Vec3 shaft_b(std::cos(beta), std::sin(beta), 0);
  Model model;
  const Mat3 J = inertia::diagonal(0.01, 0.02, 0.02);
  const auto a = joint_models::add_body(model, "a", 1.0, J, {.position = -0.5 * shaft_a});
  const Mat3 R_b = so3::exp(beta * Vec3::UnitZ());
  const auto b = joint_models::add_body(model, "b", 1.0, J, {.position = 0.5 * shaft_b, .rotation = R_b});
  const auto input = model.add_scalar("input");
  const auto angle_a = model.add_scalar("angle_a", {.value = 0.1});
  const auto angle_b = model.add_scalar("angle_b", {.value = -0.2});
  model.add<Hinge>({.name = "bearing",
                    .a = MaterialPoint::on_ground(-0.5 * shaft_a),
                    .b = a,
                    .axis = shaft_a,
                    .angle = input});
  model.drive(input, Component::s, PrescribedMotion::constant_speed(speed));
  const auto joint = model.add<UniversalJoint>({.name = "J",
                                                .a = {a, {0.5, 0, 0}},
                                                .b = {b, {-0.5, 0, 0}},
                                                .axis_a = Vec3::UnitZ(),
                                                .axis_b = Vec3::UnitZ().cross(shaft_b),
                                                .angle_a = angle_a,
                                                .angle_b = angle_b});
  model.add<PointOnLine>({.name = "bearing_b",
                          .a = MaterialPoint::on_ground(Vec3::Zero()),
                          .b = {b, {0.5, 0, 0}},
                          .axis = shaft_b});
  joint_models::run(model, {.step = 1e-3}, 1.0, [&](const State& state) {
    const double in = speed * state.time;
    const double within = std::atan2(std::cos(beta) * std::sin(in), std::cos(in));
    const Mat3 exact = so3::exp(within * shaft_b) * R_b;
    // A geometrical relation: it holds to rounding in every position.
    support::expect_near(state.q.rotation(b), exact, 1e-12, "rotation of the driven shaft");
    // The arms: fixed in A and rotated with the input, fixed in B and rotated with the output.
    const Vec3 arm_a = so3::exp(in * shaft_a) * Vec3::UnitZ();
    const Vec3 arm_b = exact * Vec3::UnitY();
    EXPECT_NEAR(arm_a.dot(arm_b), 0.0, 1e-12);
    // The cross is rotated relative to A about arm_a by the angle since the start, and B relative to the cross.
    const Vec3 start_of_b_in_a = so3::exp(in * shaft_a) * Vec3::UnitZ().cross(shaft_b);
    const double turn_a = std::atan2(start_of_b_in_a.cross(arm_b).dot(arm_a), start_of_b_in_a.dot(arm_b));
    const Vec3 start_of_a_in_b = exact * Vec3::UnitZ();
    const double turn_b = std::atan2(start_of_a_in_b.cross(arm_a).dot(arm_b), start_of_a_in_b.dot(arm_a));
    EXPECT_NEAR(state.q.value(angle_a), 0.1 + turn_a, 1e-12);
    EXPECT_NEAR(state.q.value(angle_b), -0.2 - turn_b, 1e-12);
  });
  EXPECT_EQ(joint->row_count(), 6);
}

TEST(UniversalJoint, MeasuresItsAnglesAndRatesWithoutNodes) {
  Model model;
  const auto a = model.add_frame("a");
  const auto b = model.add_frame("b");
  const Vec3 skewed = Vec3(0.3, 1, 0).normalized();
  const auto joint =
      model.add<UniversalJoint>({.name = "J", .a = a, .b = b, .axis_a = Vec3::UnitX(), .axis_b = skewed});
  EXPECT_EQ(joint->row_count(), 4);
  Configuration q = model.initial_configuration();
  constexpr double theta_a = 0.8, theta_b = -1.9;
  const Mat3 cross = so3::exp(theta_a * Vec3::UnitX());
  q.rotation(b) = cross * so3::exp(theta_b * skewed);
  support::expect_near(support::violation(*joint, q), Vector::Zero(4), 1e-14, "violation");
  Vector v = Vector::Zero(12);
  v.tail<3>() = q.rotation(b).transpose() * (0.4 * Vec3::UnitX() + 0.9 * (cross * skewed));
  const Vector expected = (Vector(4) << theta_a, 0.4, theta_b, 0.9).finished();
  support::expect_near(joint_models::observed(*joint, q, v), expected, 1e-14, "angles and rates");
}

TEST(UniversalJoint, RefusesParallelAxes) {
  Model model;
  const auto a = model.add_frame("a");
  const auto b = model.add_frame("b");
  EXPECT_EQ(support::message_of<ModelError>([&] {
              model.add<UniversalJoint>(
                  {.name = "U", .a = a, .b = b, .axis_a = {1, 2, 3}, .axis_b = {-2, -4, -6.01}});
            }),
            "universal joint \"U\": axis_a and axis_b are parallel");
}

}  // namespace
}  // namespace picus::universal_joint_test
