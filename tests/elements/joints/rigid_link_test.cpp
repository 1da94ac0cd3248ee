#include <picus/elements/joints/rigid_link.hpp>
#include <support/dense_algebra.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus::rigid_link_test {
namespace {

using support::expect_near;
using support::message_of;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

class RigidLinkTest : public ::testing::Test {
 protected:
  std::string refusal(RigidLink::Parameters parameters) {
    return message_of<ModelError>([&] { model.add<RigidLink>(std::move(parameters)); });
  }

  support::Random random{23};
  Model model{"m"};
  FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  const Configuration& start = model.initial_configuration();
};

TEST_F(RigidLinkTest, DerivativesAreExact) {
  support::expect_exact_tangents(model, *model.add<RigidLink>({.name = "frames", .a = a, .b = b}));
  support::expect_exact_tangents(model, *model.add<RigidLink>({.name = "point", .a = a, .b = point}));
}

TEST_F(RigidLinkTest, HoldsAtTheStartAndInEveryRigidMotion) {
  const auto link = model.add<RigidLink>({.name = "link", .a = a, .b = b});
  const auto to_point = model.add<RigidLink>({.name = "to point", .a = a, .b = point});
  EXPECT_EQ(link->row_count(), 6);
  EXPECT_EQ(to_point->row_count(), 3);
  expect_near(support::violation(*link, start), Vector::Zero(6), rounding, "start");
  expect_near(support::violation(*to_point, start), Vector::Zero(3), rounding, "start");
  const Configuration moved = support::RigidMotion(random)(model, start);
  expect_near(support::violation(*link, moved), Vector::Zero(6), rounding, "moved");
  expect_near(support::violation(*to_point, moved), Vector::Zero(3), rounding, "moved");
}

TEST_F(RigidLinkTest, MeasuresPositionInInertialAxesAndOrientationInThoseOfA) {
  const auto link = model.add<RigidLink>({.name = "link", .a = a, .b = b});
  Vector increment = Vector::Zero(model.velocity_count());
  const Vec3 shift(0.1, 0.2, 0.3);
  const Vec3 turn(1e-5, 2e-5, 3e-5);  // of B relative to A, in the axes of A
  increment.segment<3>(b.v) = shift;
  increment.segment<3>(b.v + 3) = start.rotation(b).transpose() * start.rotation(a) * turn;
  const Vector g = support::violation(*link, support::moved(model, start, increment));
  expect_near(g.head<3>(), shift, rounding, "position");
  // a_1 . b_2 = -turn_3 and so on; the rest is of second order, below 1e-9.
  expect_near(g.tail<3>(), -Vec3(turn[2], turn[0], turn[1]), 1e-9, "orientation");
}

TEST_F(RigidLinkTest, HasFullRank) {
  const auto link = model.add<RigidLink>({.name = "link", .a = a, .b = b});
  const Eigen::MatrixXd G = support::gradient(*link, start);
  EXPECT_GT(support::singular_values(G)[5], 0.5);
  // The three rotations are constrained separately: those rows are orthonormal to rounding.
  expect_near(G.bottomRightCorner(3, 3) * G.bottomRightCorner(3, 3).transpose(), Mat3::Identity(), rounding,
              "rows of orientation");
}

TEST_F(RigidLinkTest, RateFollowsTheViolation) {
  const auto link = model.add<RigidLink>({.name = "link", .a = a, .b = b});
  const Vector v = random.vector(model.velocity_count());
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count()));
  const Vector rate = support::derivative(
      [&](double t) { return support::violation(*link, support::moved(model, q, t * v)); });
  expect_near(support::gradient(*link, q) * support::local(*link, v), rate, support::difference_tolerance,
              "rate");
}

TEST_F(RigidLinkTest, ReactionsBalance) {
  const auto link = model.add<RigidLink>({.name = "link", .a = a, .b = b});
  const Vector f = support::gradient(*link, start).transpose() * random.vector(6);
  expect_near(support::resultant(*link, start, f), Vector::Zero(6), rounding, "resultant of the reactions");
}

TEST_F(RigidLinkTest, IsTheSameForEveryObserver) {
  const auto link = model.add<RigidLink>({.name = "link", .a = a, .b = b});
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count()));
  const support::RigidMotion motion(random);
  const Configuration seen = motion(model, q);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Identity(6, 6);
  rows.topLeftCorner<3, 3>() = motion.Q;
  expect_near(support::violation(*link, seen), rows * support::violation(*link, q), rounding, "violation");
  expect_near(support::gradient(*link, seen),
              rows * support::gradient(*link, q) * motion.turn(*link).transpose(), rounding, "gradient");
}

TEST_F(RigidLinkTest, RefusesNodesThatItCannotLink) {
  EXPECT_EQ(refusal({.name = "L", .a = {}, .b = b}), "rigid link \"L\": a is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "L", .a = a, .b = {}}), "rigid link \"L\": b is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "L", .a = a, .b = a}), "rigid link \"L\": a and b are the same node");
  const auto angle = model.add_scalar("angle");
  EXPECT_EQ(refusal({.name = "L", .a = a, .b = angle}),
            "rigid link \"L\": b is a scalar node, must be a frame or a point");
}

}  // namespace
}  // namespace picus::rigid_link_test
