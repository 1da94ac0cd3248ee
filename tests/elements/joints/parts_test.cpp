// The parts of joints with every kind of end; the joints themselves have frames on both sides.

#include <picus/elements/joints/parts/coincident_points.hpp>
#include <picus/elements/joints/parts/turning_angle.hpp>
#include <picus/model.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

/// All parts between two ends and a scalar, in whatever place: five equations.
class AllParts : public Element, public BilateralConstraint {
 public:
  struct Parameters {
    std::string name;
    std::vector<Node> nodes;  ///< of A if it is not the ground, of B if it is not the ground, the scalar
    bool a_is_ground = false;
    bool b_is_ground = false;
  };
  AllParts(const Parameters& p, const Model&)
      : Element(p.name, p.nodes),
        a_(p.a_is_ground ? JointEnd() : JointEnd(p.nodes[0], 0)),
        b_(p.b_is_ground ? JointEnd() : JointEnd(p.nodes[p.nodes.size() - 2], b_first(p))),
        angle_(p.nodes.back()) {
    turn_.column = dof_count() - 1;
    const auto offset = [](const Node& node, bool is_ground, const Vec3& X) {
      return !is_ground && node.kind == NodeKind::point ? Vec3(Vec3::Zero()) : X;
    };
    points_ = {offset(p.nodes.front(), p.a_is_ground, {0.1, 0.2, 0.3}),
               offset(p.nodes[p.nodes.size() - 2], p.b_is_ground, {-0.3, 0.2, 0.5})};
  }

  Index row_count() const override { return 5; }
  void violation(const Configuration& q, double, std::span<double> g) const override {
    const JointPlace at(a_, b_, q);
    vector_view<3>(g) = points_.violation(at);
    g[3] = directions_.violation(at);
    g[4] = turn_.violation(at, q.value(angle_));
  }
  void gradient(const Configuration& q, double, std::span<double> G) const override {
    const JointPlace at(a_, b_, q);
    JointMatrix matrix(G.data(), 5, dof_count());
    points_.gradient(at, 0, matrix);
    directions_.gradient(at, 3, matrix);
    turn_.gradient(at, q.value(angle_), 4, matrix);
  }
  void force_gradient(const Configuration& q, double, std::span<const double> lambda,
                      std::span<double> K) const override {
    const JointPlace at(a_, b_, q);
    JointMatrix matrix(K.data(), dof_count(), dof_count());
    points_.add_force_gradient(at, vector_view<3>(lambda), matrix);
    TurningStiffness turning;
    directions_.add_force_gradient(at, lambda[3], turning);
    turn_.add_force_gradient(at, q.value(angle_), lambda[4], turning, matrix);
    turning.write(at, matrix);
  }
  void rate_gradient(const Configuration& q, double, std::span<const double> v,
                     std::span<double> H) const override {
    const JointPlace at(a_, b_, q);
    JointMatrix matrix(H.data(), 5, dof_count());
    points_.rate_gradient(at, v, 0, matrix);
    directions_.rate_gradient(at, v, 3, matrix);
    turn_.rate_gradient(at, q.value(angle_), v, 4, matrix);
  }

 private:
  static Index b_first(const Parameters& p) { return p.a_is_ground ? 0 : velocity_size(p.nodes[0].kind); }

  JointEnd a_;
  JointEnd b_;
  Node angle_;
  CoincidentPoints points_;
  PerpendicularDirections directions_{Vec3(1, 2, 3).normalized(), Vec3(-1, 1, 0.5).normalized()};
  TurningAngle turn_{Vec3(0, 0.6, 0.8), Vec3(1, 0, 0), Vec3(0.8, 0, 0.6)};
};

class JointParts : public ::testing::Test {
 protected:
  support::Random random{19};
  Model model;
  FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  ScalarNode angle = model.add_scalar("angle", {.value = 0.4});
};

TEST_F(JointParts, BetweenTwoFrames) {
  support::expect_exact_tangents(model, *model.add<AllParts>({.name = "joint", .nodes = {a, b, angle}}));
}

TEST_F(JointParts, BetweenTheGroundAndAFrame) {
  support::expect_exact_tangents(
      model, *model.add<AllParts>({.name = "joint", .nodes = {b, angle}, .a_is_ground = true}));
}

TEST_F(JointParts, BetweenAFrameAndTheGround) {
  support::expect_exact_tangents(
      model, *model.add<AllParts>({.name = "joint", .nodes = {a, angle}, .b_is_ground = true}));
}

TEST_F(JointParts, BetweenAFrameAndAPoint) {
  support::expect_exact_tangents(model, *model.add<AllParts>({.name = "joint", .nodes = {a, point, angle}}));
}

TEST_F(JointParts, BetweenAPointAndAFrame) {
  support::expect_exact_tangents(model, *model.add<AllParts>({.name = "joint", .nodes = {point, b, angle}}));
}

}  // namespace
}  // namespace picus
