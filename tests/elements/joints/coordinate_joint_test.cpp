// What joints report about their coordinates.

#include "joint_models.hpp"
#include <picus/elements/joints/cylindrical_joint.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>

#include <numbers>

namespace picus::coordinate_joint_test {
namespace {

using joint_models::observed;
using support::expect_near;

constexpr double rounding = 1e-14;

/// B rotated by an angle about an axis through a pin and displaced along it.
class CoordinateJointTest : public ::testing::Test {
 protected:
  MaterialPoint at_pin(const FrameNode& node) const {
    return {node, start.rotation(node).transpose() * (pin - start.position(node))};
  }
  Configuration moved(double turn, double shift) const {
    Configuration q = start;
    const Mat3 Q = so3::exp(turn * axis);
    q.position(b) = pin + Q * (start.position(b) - pin) + shift * axis;
    q.rotation(b) = Q * start.rotation(b);
    return q;
  }
  /// A common screw motion of both bodies, plus one of B relative to A.
  Vector velocity(const Configuration& q, double angle_rate, double displacement_rate) {
    const Vec3 omega = random.vec3();
    const Vec3 v_0 = random.vec3();
    Vector v = Vector::Zero(model.velocity_count());
    v.segment<3>(a.v) = v_0 + omega.cross(q.position(a));
    v.segment<3>(a.v + 3) = q.rotation(a).transpose() * omega;
    const Vec3 spin = angle_rate * axis;
    v.segment<3>(b.v) =
        v_0 + omega.cross(q.position(b)) + spin.cross(q.position(b) - pin) + displacement_rate * axis;
    v.segment<3>(b.v + 3) = q.rotation(b).transpose() * (omega + spin);
    return v;
  }

  support::Random random{41};
  Vec3 pin = random.vec3();
  Vec3 axis = random.direction();
  Model model;
  FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  ScalarNode angle = model.add_scalar("angle", {.value = 0.4});
  const Configuration& start = model.initial_configuration();
};

TEST_F(CoordinateJointTest, MeasuresAnglesUpToHalfATurnAndDisplacements) {
  const auto joint =
      model.add<CylindricalJoint>({.name = "joint", .a = at_pin(a), .b = at_pin(b), .axis = axis});
  EXPECT_EQ(joint->quantities()[0].name, "angle");
  EXPECT_EQ(joint->quantities()[1].name, "angle_rate");
  EXPECT_EQ(joint->quantities()[2].name, "displacement");
  EXPECT_EQ(joint->quantities()[3].name, "displacement_rate");
  for (const double turn : {0.0, 0.3, -2.0, 3.1, -3.1}) {
    const Configuration q = moved(turn, 0.7);
    const Vector expected = (Vector(4) << turn, 1.3, 0.7, -0.4).finished();
    expect_near(observed(*joint, q, velocity(q, 1.3, -0.4)), expected, 10 * rounding, "coordinates");
  }
  const Configuration q = moved(4.0, 0.0);
  EXPECT_NEAR(observed(*joint, q, Vector::Zero(13))[0], 4.0 - 2 * std::numbers::pi, 10 * rounding);
}

TEST_F(CoordinateJointTest, ReportsTheNodeOfACoordinateThatHasOne) {
  const auto joint = model.add<CylindricalJoint>(
      {.name = "joint", .a = at_pin(a), .b = at_pin(b), .axis = axis, .angle = angle});
  Configuration q = moved(7.0, 0.2);
  q.value(angle) = 7.4;
  Vector v = velocity(q, 1.3, -0.4);
  v[angle.v] = 1.3;
  EXPECT_EQ(joint->row_count(), 5);
  expect_near(support::violation(*joint, q), Vector::Zero(5), 10 * rounding, "violation");
  expect_near(support::gradient(*joint, q) * support::local(*joint, v), Vector::Zero(5), 10 * rounding,
              "rates");
  const Vector expected = (Vector(4) << 7.4, 1.3, 0.2, -0.4).finished();
  expect_near(observed(*joint, q, v), expected, 10 * rounding, "coordinates");
}

TEST_F(CoordinateJointTest, CountsFromTheValueOfTheNodeAtTheStart) {
  const auto hinge =
      model.add<Hinge>({.name = "hinge", .a = at_pin(a), .b = at_pin(b), .axis = axis, .angle = angle});
  EXPECT_EQ(observed(*hinge, start, Vector::Zero(13))[0], 0.4);
  const auto without = model.add<Hinge>({.name = "without", .a = at_pin(a), .b = at_pin(b), .axis = axis});
  EXPECT_NEAR(observed(*without, start, Vector::Zero(13))[0], 0.0, rounding);
}

}  // namespace
}  // namespace picus::coordinate_joint_test
