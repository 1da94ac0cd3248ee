#include "joint_models.hpp"
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

namespace picus {
namespace {

using joint_models::observed;

class SphericalJointTest : public ::testing::Test {
 protected:
  support::Random random{5};
  Model model;
  FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
};

TEST_F(SphericalJointTest, HoldsAPointOfABodyAPointNodeOrTheGround) {
  const Vec3 X = random.vec3();
  for (const auto& [end_a, end_b] : std::vector<std::pair<MaterialPoint, MaterialPoint>>{
           {{a, X}, {b, X}}, {{a, X}, point}, {point, {b, X}}, {MaterialPoint::on_ground(X), point}}) {
    const auto joint = model.add<SphericalJoint>(
        {.name = "J" + std::to_string(model.elements().size()), .a = end_a, .b = end_b});
    EXPECT_EQ(joint->row_count(), 3);
    EXPECT_GT(joint_models::least_singular_value(*joint, model.initial_configuration()), 0.9);
    support::expect_exact_tangents(model, *joint);
  }
}

TEST_F(SphericalJointTest, ReportsTheRelativeRotation) {
  const auto joint = model.add<SphericalJoint>({.name = "J", .a = a, .b = b});
  const Vec3 turn(0.3, -0.2, 0.9);
  Configuration q = model.initial_configuration();
  const Mat3 R_a = q.rotation(a);
  q.rotation(b) = R_a * so3::exp(turn) * R_a.transpose() * q.rotation(b);
  Vector v = Vector::Zero(model.velocity_count());
  const Vec3 common(1, 2, 3), relative(-0.5, 0.1, 2);  // in the axes of A
  v.segment<3>(a.v + 3) = common;
  v.segment<3>(b.v + 3) = q.rotation(b).transpose() * R_a * (common + relative);
  const Vector expected = (Vector(6) << turn, relative).finished();
  support::expect_near(observed(*joint, q, v), expected, 1e-14, "rotation and angular velocity");
}

/// A heavy symmetric top in steady precession: with the spin w_3 about its axis and the nutation theta, A cos(theta)
/// phi'^2 - C w_3 phi' + m g l = 0 (A: about the pivot), so that its axis precesses at phi'.
TEST(SphericalJointMotion, AHeavyTopPrecessesSteadily) {
  constexpr double mass = 1.3, l = 0.4, theta = 1.1, precession = 2.0;
  constexpr double A_centre = 0.05, C = 0.03;
  constexpr double A = A_centre + mass * l * l;
  const double w_3 = (A * std::cos(theta) * precession * precession + mass * 9.81 * l) / (C * precession);
  const Mat3 R = so3::exp({theta, 0, 0});
  const Vec3 axis = R.col(2);
  const Vec3 omega =
      precession * Vec3::UnitZ() + (w_3 - precession * std::cos(theta)) * axis;  // inertial axes

  const auto error = [&](double h) {
    Model model;
    const auto top = joint_models::add_body(model, "top", mass, inertia::diagonal(A_centre, A_centre, C),
                                            {.position = l * axis,
                                             .rotation = R,
                                             .velocity = omega.cross(l * axis),
                                             .angular_velocity = R.transpose() * omega});
    model.add<SphericalJoint>(
        {.name = "pivot", .a = MaterialPoint::on_ground(Vec3::Zero()), .b = {top, {0, 0, -l}}});
    double worst = 0;
    joint_models::run(model, {.step = h}, 1.0, [&](const State& state) {
      const Vec3 exact = l * (so3::exp(precession * state.time * Vec3::UnitZ()) * axis);
      worst = std::max(worst, (state.q.position(top) - exact).norm());
    });
    return worst;
  };
  joint_models::expect_second_order(error, 1e-3);
}

}  // namespace
}  // namespace picus
