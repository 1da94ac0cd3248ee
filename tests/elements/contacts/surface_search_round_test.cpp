/// The contacts that cylinders and cones have, and pairs that are refused.

#include "surface_search.hpp"
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace picus::surface_search_round_test {
namespace {

using support::message_of;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST_F(SurfaceSearchTest, CylinderStandsOnPointsOfItsRim) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.2});
  EXPECT_THAT(
      names_at_start(),
      UnorderedElementsAre("can bottom rim at 0 deg on floor", "can bottom rim at 90 deg on floor",
                           "can bottom rim at 180 deg on floor", "can bottom rim at 270 deg on floor"));
}

TEST_F(SurfaceSearchTest, CylinderOnItsSideStandsOnBothRims) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.1},
      so3::exp(Vec3(std::numbers::pi / 2, 0, 0)));
  EXPECT_THAT(names_at_start(), UnorderedElementsAre("can bottom rim on floor", "can top rim on floor"));
}

TEST_F(SurfaceSearchTest, FeaturesOfConesHaveNames) {
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  const double alpha = std::atan2(0.1, 0.4);
  add("cone", shapes::Cone{.length = 0.4, .bottom_radius = 0.1}, {0, 0, 0.2 * std::sin(alpha) + 1e-4},
      so3::exp(Vec3(0, std::numbers::pi / 2 + alpha, 0)));
  EXPECT_THAT(names_at_start(), UnorderedElementsAre("cone bottom rim on floor", "cone top tip on floor"));
}

// A rope along x over a cylinder along y.
TEST_F(SurfaceSearchTest, RopeTouchesSidesAndRimsOfCylinders) {
  const Mat3 lying = so3::exp(Vec3(std::numbers::pi / 2, 0, 0));
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0}, lying);
  std::vector<FrameNode> nodes;
  for (const Vec3& x : {Vec3(-0.5, 0, 0.11), Vec3(0.5, 0, 0.11)})
    nodes.push_back(model.add_frame("n" + std::to_string(nodes.size()), {.position = x}));
  model.add<Surface>({.name = "cable", .of = shapes::Rope{nodes, 0.01}});
  EXPECT_THAT(names_at_start(), ElementsAre("cable edge 0 on can side"));
}

// The corners of a triangle are far beyond the cylinder, whose side lies on the triangle.
TEST_F(SurfaceSearchTest, CylinderLiesOnTrianglesAsOnAPlane) {
  shapes::Mesh floor{.points = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}},
                     .triangles = {{0, 1, 2}, {0, 2, 3}},
                     .is_closed = false};
  model.add<Surface>({.name = "floor", .of = floor});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0.3, 0, 0.1},
      so3::exp(Vec3(std::numbers::pi / 2, 0, 0)));
  EXPECT_THAT(names_at_start(),
              UnorderedElementsAre("can bottom rim on floor face 0", "can top rim on floor face 0"));
}

TEST_F(SurfaceSearchTest, CylinderStandsOnTrianglesAsOnAPlane) {
  shapes::Mesh floor{.points = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}},
                     .triangles = {{0, 1, 2}, {0, 2, 3}},
                     .is_closed = false};
  model.add<Surface>({.name = "floor", .of = floor});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.2});
  EXPECT_THAT(names_at_start(), UnorderedElementsAre("can bottom rim at 0 deg on floor face 0",
                                                     "can bottom rim at 90 deg on floor face 0",
                                                     "can bottom rim at 180 deg on floor face 0",
                                                     "can bottom rim at 270 deg on floor face 0"));
}

// A ridge across the cylinder, which lies on it; the valley beside it does not touch.
TEST_F(SurfaceSearchTest, CylinderLiesAcrossARidgeOfTriangles) {
  shapes::Mesh roof{.points = {{-2, 0, 0}, {2, 0, 0}, {2, 2, -1}, {-2, 2, -1}, {2, -2, -1}, {-2, -2, -1}},
                    .triangles = {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {0, 5, 4}},
                    .is_closed = false};
  model.add<Surface>({.name = "roof", .of = roof});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0.3, 0, 0.1},
      so3::exp(Vec3(std::numbers::pi / 2, 0, 0)));
  const auto found = names_at_start();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], ::testing::HasSubstr("side"));
}

// The tip of a cone, upside down, on a triangle of a deformable surface; and a corner of it below the end of a can.
TEST_F(SurfaceSearchTest, ConesAndCylindersTouchDeformableFaces) {
  std::vector<PointNode> nodes;
  for (const Vec3& x : {Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(1, 1, 0), Vec3(-1, 1, 0)})
    nodes.push_back(model.add_point("p" + std::to_string(nodes.size()), {.position = x}));
  model.add<Surface>({.name = "sheet", .of = shapes::Faces{{{nodes[0], nodes[1], nodes[2], nodes[3]}}}});
  add("cone", shapes::Cone{.length = 0.4, .bottom_radius = 0, .top_radius = 0.1}, {0.3, 0, 0.2});
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0.98, 0.98, 0.2});
  const auto found = names_at_start();
  EXPECT_THAT(found, ::testing::Contains("sheet face 0 on cone bottom tip"));
  EXPECT_THAT(found, ::testing::Contains(::testing::StartsWith("sheet vertex 2 on can bottom")));
}

TEST_F(SurfaceSearchTest, RefusesCylindersTooDeepInEachOther) {
  add("a", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0});
  add("b", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.39});
  const Configuration& q = model.initial_configuration();
  EXPECT_THAT(message_of<ModelError>([&] { search().check_start(q); }),
              ::testing::HasSubstr("0.01 m deep in each other at the start"));
}

}  // namespace
}  // namespace picus::surface_search_round_test
