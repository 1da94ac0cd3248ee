// Input refused by all joints, and how joints are drawn.

#include <picus/elements/joints/cylindrical_joint.hpp>
#include <picus/elements/joints/distance_joint.hpp>
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/planar_joint.hpp>
#include <picus/elements/joints/point_in_plane.hpp>
#include <picus/elements/joints/point_on_line.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <picus/elements/joints/screw_joint.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/elements/joints/universal_joint.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::joint_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Valid parameters except for the ends.
template <class E>
typename E::Parameters otherwise_right() {
  typename E::Parameters p{.name = "J"};
  if constexpr (requires { p.axis; }) p.axis = Vec3::UnitX();
  if constexpr (requires { p.normal; }) p.normal = Vec3::UnitX();
  if constexpr (requires { p.axis_a; }) {
    p.axis_a = Vec3::UnitX();
    p.axis_b = Vec3::UnitY();
  }
  if constexpr (requires { p.pitch; }) p.pitch = 0.1;
  return p;
}

template <class E>
class JointTest : public ::testing::Test {
 protected:
  std::string refusal(const MaterialPoint& end_a, const MaterialPoint& end_b) {
    auto p = otherwise_right<E>();
    p.a = end_a;
    p.b = end_b;
    return this->refusal(p);
  }
  std::string refusal(typename E::Parameters p) {
    std::string message = support::message_of<ModelError>([&] { model.add<E>(p); });
    // After the kind of joint, which is checked in the test of each joint.
    const auto name = message.find("\"J\": ");
    return name == std::string::npos ? message : message.substr(name + 5);
  }

  Model model{"m"};
  FrameNode a = model.add_frame("a");
  FrameNode b = model.add_frame("b", {.position = {1, 2, 3}});
  PointNode point = model.add_point("point", {.position = {-1, 2, 3}});
  MaterialPoint ground = MaterialPoint::on_ground({0.5, 0, 0});
  static constexpr bool takes_points = std::same_as<E, SphericalJoint> || std::same_as<E, DistanceJoint> ||
                                       std::same_as<E, PointOnLine> || std::same_as<E, PointInPlane>;
};

using AllJoints =
    ::testing::Types<CylindricalJoint, DistanceJoint, FixedJoint, Hinge, PlanarJoint, PointInPlane,
                     PointOnLine, PrismaticJoint, ScrewJoint, SphericalJoint, UniversalJoint>;
TYPED_TEST_SUITE(JointTest, AllJoints);

TYPED_TEST(JointTest, RefusesEndsThatCannotBeJoined) {
  const Vec3 X(0.1, 0, 0);
  EXPECT_EQ(this->refusal({this->a}, {this->a, X}), "a and b are on the same node");
  EXPECT_EQ(this->refusal(this->ground, MaterialPoint::on_ground(X)), "a and b are both on the ground");
  EXPECT_EQ(this->refusal({}, this->b), "a is not given");
  EXPECT_EQ(this->refusal(this->a, {}), "b is not given");
  EXPECT_EQ(this->refusal({FrameNode{}, X}, this->b), "a is not given");
  EXPECT_EQ(this->refusal({this->a, {0, nan, 0}}, this->b),
            "offset of a[1] is nan m, must be a finite number");
  EXPECT_EQ(this->refusal(MaterialPoint::on_ground({0, nan, 0}), this->b),
            "a[1] is nan m, must be a finite number");
  Model other("other");
  for (int i = 0; i < 9; ++i) other.add_frame("node" + std::to_string(i));
  const auto stranger = other.add_frame("stranger");
  EXPECT_EQ(this->refusal(this->a, stranger), "b is not a node of model \"m\"");
}

TYPED_TEST(JointTest, TakesPointNodesIfItLocksNoRotation) {
  if constexpr (TestFixture::takes_points) {
    EXPECT_EQ(this->refusal(this->point, this->b), "nothing was thrown");
    MaterialPoint aside = this->point;
    aside.offset.x() = 1.0;
    EXPECT_EQ(this->refusal(this->a, aside), "b has an offset from a point node, which has no axes");
  } else {
    EXPECT_EQ(this->refusal(this->point, this->b), "a is on a point node, must be on a frame");
  }
}

TYPED_TEST(JointTest, RefusesScalarsThatAreNone) {
  auto p = otherwise_right<TypeParam>();
  p.a = this->a;
  p.b = this->b;
  const auto check = [&](std::optional<ScalarNode>& scalar, const std::string& what) {
    scalar = ScalarNode{};
    EXPECT_EQ(this->refusal(p), what + " is not a node of model \"m\"");
    scalar = this->model.add_scalar(what);
  };
  if constexpr (requires { p.angle; }) check(p.angle, "angle");
  if constexpr (requires { p.displacement; }) check(p.displacement, "displacement");
  if constexpr (requires { p.x; }) check(p.x, "x");
  if constexpr (requires { p.y; }) check(p.y, "y");
  if constexpr (requires { p.angle_a; }) check(p.angle_a, "angle_a");
  if constexpr (requires { p.angle_b; }) check(p.angle_b, "angle_b");
  EXPECT_EQ(this->refusal(p), "nothing was thrown");
}

TYPED_TEST(JointTest, RefusesDirectionsThatAreNone) {
  auto p = otherwise_right<TypeParam>();
  p.a = this->a;
  p.b = this->b;
  const auto check = [&](Vec3& direction, const std::string& what) {
    const Vec3 right = direction;
    direction = Vec3::Zero();
    EXPECT_EQ(this->refusal(p), what + " has zero length");
    direction = {0, 0, nan};
    EXPECT_EQ(this->refusal(p), what + "[2] is nan, must be a finite number");
    direction = right;
  };
  if constexpr (requires { p.axis; }) check(p.axis, "axis");
  if constexpr (requires { p.normal; }) check(p.normal, "normal");
  if constexpr (requires { p.axis_a; }) check(p.axis_a, "axis_a");
  if constexpr (requires { p.axis_b; }) check(p.axis_b, "axis_b");
}

TEST(JointNames, TellTheKindOfJoint) {
  Model model;
  const auto refusal = [&]<class E>(const E*) {
    return support::message_of<ModelError>([&] { model.add<E>(otherwise_right<E>()); });
  };
  EXPECT_EQ(refusal(static_cast<CylindricalJoint*>(nullptr)), "cylindrical joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<DistanceJoint*>(nullptr)), "distance joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<FixedJoint*>(nullptr)), "fixed joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<Hinge*>(nullptr)), "hinge \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<PlanarJoint*>(nullptr)), "planar joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<PointInPlane*>(nullptr)), "point in plane \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<PointOnLine*>(nullptr)), "point on line \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<PrismaticJoint*>(nullptr)), "prismatic joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<ScrewJoint*>(nullptr)), "screw joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<SphericalJoint*>(nullptr)), "spherical joint \"J\": a is not given");
  EXPECT_EQ(refusal(static_cast<UniversalJoint*>(nullptr)), "universal joint \"J\": a is not given");
}

TEST(JointCoordinates, OfOneJointAreOnNodesOfTheirOwn) {
  Model model;
  const auto a = model.add_frame("a");
  const auto s = model.add_scalar("s");
  EXPECT_EQ(support::message_of<ModelError>([&] {
              model.add<CylindricalJoint>({.name = "C",
                                           .a = MaterialPoint::on_ground({0, 0, 0}),
                                           .b = a,
                                           .axis = Vec3::UnitX(),
                                           .angle = s,
                                           .displacement = s});
            }),
            "cylindrical joint \"C\": angle and displacement are the same node");
}

TEST(JointDrawing, GoesFromNodeToNodeThroughBothPoints) {
  Model model;
  const auto a = model.add_frame("a");
  const auto b = model.add_frame("b");
  const auto point = model.add_point("p");
  const Vec3 X(1, 2, 3);
  const Vec3 Y(3, 2, 1);
  const auto hinge = model.add<Hinge>({.name = "H", .a = {a, X}, .b = {b, Y}, .axis = X});
  ASSERT_EQ(hinge->points().size(), 4u);
  EXPECT_EQ(hinge->points()[0].node, Node(a));
  EXPECT_EQ(hinge->points()[0].offset, Vec3(Vec3::Zero()));
  EXPECT_EQ(hinge->points()[1].offset, X);
  EXPECT_EQ(hinge->points()[2].offset, Y);
  EXPECT_EQ(hinge->points()[3].node, Node(b));
  EXPECT_EQ(hinge->polylines(), (std::vector<std::vector<Index>>{{0, 1, 2, 3}}));
  const auto grounded = model.add<Hinge>({.name = "G", .a = MaterialPoint::on_ground(X), .b = b, .axis = X});
  ASSERT_EQ(grounded->points().size(), 3u);
  EXPECT_TRUE(grounded->points()[0].is_ground());
  EXPECT_EQ(grounded->points()[0].offset, X);
  const auto rod = model.add<DistanceJoint>({.name = "D", .a = MaterialPoint::on_ground(X), .b = point});
  EXPECT_EQ(rod->points().size(), 2u);
  EXPECT_EQ(rod->polylines(), (std::vector<std::vector<Index>>{{0, 1}}));
}

}  // namespace
}  // namespace picus::joint_test
