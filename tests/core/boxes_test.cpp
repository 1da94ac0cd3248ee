// Rigid bodies as boxes.

#include "../../src/results/boxes.hpp"

#include <support/bodies.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::support::boxes_test {
namespace {

using results::Box;
using results::find_boxes;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-13;

/// Principal moments of a cuboid with these edges.
Vec3 moments(double mass, const Vec3& edges) {
  const Vec3 squares = edges.cwiseAbs2();
  return mass / 12 * (Vec3::Constant(squares.sum()) - squares);
}

class Boxes : public testing::Test {
 protected:
  FrameNode add(const std::string& name, double mass, const Vec3& inertia,
                const Vec3& centre = Vec3::Zero()) {
    const FrameNode node = model.add_frame(name, {.position = random.vec3(), .rotation = random.rotation()});
    model.add<OffsetBody>({.name = name, .node = node, .mass = mass, .inertia = inertia, .centre = centre});
    return node;
  }

  Random random{5};
  Model model{"m"};
  std::vector<MaterialPoint> points;
};

TEST_F(Boxes, AreTheCuboidsOfMassAndInertia) {
  const Vec3 edges(0.3, 2.0, 0.7);
  const Vec3 centre(0.1, -0.2, 0.4);
  const FrameNode node = add("cuboid", 3.0, moments(3.0, edges), centre);
  const std::vector<Box> boxes = find_boxes(model, points);
  ASSERT_EQ(boxes.size(), 1U);
  const Box& box = boxes[0];
  EXPECT_EQ(box.node, node);
  EXPECT_LE((box.centre - centre).norm(), rounding);
  EXPECT_NEAR(box.axes.determinant(), 1.0, rounding);
  // Along some axis of the body, in some order: the tensor of squared half edges is the same.
  const Mat3 found = box.axes * box.half.cwiseAbs2().asDiagonal() * box.axes.transpose();
  const Mat3 expected = (edges / 2).cwiseAbs2().asDiagonal();
  EXPECT_LE((found - expected).norm(), rounding);
}

TEST_F(Boxes, JoinTheMassesOfANode) {
  const FrameNode node = add("left", 1.0, moments(1.0, {1, 1, 1}), {-0.5, 0, 0});
  model.add<OffsetBody>({.name = "right",
                         .node = node,
                         .mass = 1.0,
                         .inertia = moments(1.0, {1, 1, 1}),
                         .centre = {0.5, 0, 0}});
  const std::vector<Box> boxes = find_boxes(model, points);
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_LE(boxes[0].centre.norm(), rounding);
  Vec3 half = boxes[0].half;
  std::sort(half.begin(), half.end());
  EXPECT_LE((half - Vec3(0.5, 0.5, 1.0)).norm(), rounding);
}

TEST_F(Boxes, AreNotOfPointsWithoutExtent) {
  add("point", 1.0, Vec3::Zero());
  add("arm", 1.0, Vec3::Zero(), random.vec3());
  model.add<PointMass>({.name = "mass", .node = model.add_point("mass")});
  model.add_frame("empty");
  EXPECT_TRUE(find_boxes(model, points).empty());
}

TEST_F(Boxes, InThePlaneHaveTheProportionsOfTheirPoints) {
  const FrameNode node = model.add_frame("link");
  model.restrict_to_plane(node);
  // I_z of a rectangle with edges 4 and 1; the other moments have no meaning.
  model.add<OffsetBody>({.name = "link", .node = node, .mass = 6.0, .inertia = {7.0, 7.0, 6.0 / 12 * 17}});
  points = {{node, {2, 0, 0}}, {node, {-1, 0.5, 0}}};
  const std::vector<Box> boxes = find_boxes(model, points);
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_LE((boxes[0].half - Vec3(2, 0.5, 0)).norm(), rounding);
  EXPECT_EQ(boxes[0].axes, Mat3::Identity());
}

TEST_F(Boxes, OfARodHasNoThickness) {
  add("rod", 2.0, moments(2.0, {4, 0, 0}));
  const std::vector<Box> boxes = find_boxes(model, points);
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_NEAR(boxes[0].half.maxCoeff(), 2.0, rounding);
  EXPECT_LE(boxes[0].half.minCoeff(), 1e-6);  // the square root of rounding
}

}  // namespace
}  // namespace picus::support::boxes_test
