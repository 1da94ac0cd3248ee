// The parts of joints with every kind of end.

#include <picus/elements/joints/joint.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

/// All parts between two ends, in any positions.
class AllParts : public Joint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a, b;
    ScalarNode s, u;
  };
  AllParts(const Parameters& p, const Model& model)
      : Joint("all parts", p.name, p.a, p.b, Ends::frames_or_points, model, {{"s", p.s}, {"u", p.u}}) {
    const Vec3 along = Vec3(0.3, -2, 1).normalized();
    const RotationPair pair{Vec3(0, 0.6, 0.8), Vec3(1, 0, 0), Vec3(0.8, 0, 0.6)};
    RotationPair from_b = pair;
    from_b.carrier = Carrier::B;
    add(CoincidentPoints{});
    add(PerpendicularDirections{Vec3(1, 2, 3).normalized(), Vec3(-1, 1, 0.5).normalized(), 0.3});
    add(RotationAngle{pair, scalar(0)});
    add(RotationAngle{from_b, scalar(1)});
    add(AxisDisplacement{along, 0.2, {}});
    add(AxisDisplacement{along, 0.2, scalar(1)});
    add(ScrewRelation{pair, {along, 0.1, {}}, 0.7});
    add(PointDistance{0.8});
  }
};

class JointParts : public ::testing::Test {
 protected:
  void check(const MaterialPoint& end_a, const MaterialPoint& end_b) {
    const auto joint = model.add<AllParts>({.name = "joint", .a = end_a, .b = end_b, .s = angle, .u = other});
    EXPECT_EQ(joint->row_count(), 10);
    support::expect_exact_tangents(model, *joint);
  }

  support::Random random{19};
  Model model;
  FrameNode node_a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode node_b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  MaterialPoint a{node_a, Vec3(0.1, 0.2, 0.3)};
  MaterialPoint b{node_b, Vec3(-0.3, 0.2, 0.5)};
  MaterialPoint ground = MaterialPoint::on_ground({0.4, -0.2, 0.1});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  PointNode second = model.add_point("second", {.position = random.vec3()});
  ScalarNode angle = model.add_scalar("angle", {.value = 0.4});
  ScalarNode other = model.add_scalar("other", {.value = -0.2});
};

TEST_F(JointParts, BetweenTwoFrames) {
  check(a, b);
}

TEST_F(JointParts, BetweenTheGroundAndAFrame) {
  check(ground, b);
}

TEST_F(JointParts, BetweenAFrameAndTheGround) {
  check(a, ground);
}

TEST_F(JointParts, BetweenAFrameAndAPoint) {
  check(a, point);
}

TEST_F(JointParts, BetweenAPointAndAFrame) {
  check(point, b);
}

TEST_F(JointParts, BetweenTwoPoints) {
  check(point, second);
}

TEST_F(JointParts, BetweenTheGroundAndAPoint) {
  check(ground, point);
}

}  // namespace
}  // namespace picus
