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

TEST_F(SurfaceSearchTest, RefusesCylindersAndRopes) {
  add("can", shapes::Cylinder{.length = 0.4, .radius = 0.1}, {0, 0, 0.1});
  const FrameNode one = model.add_frame("one", {.position = {5, 0, 0}});
  const FrameNode two = model.add_frame("two", {.position = {6, 0, 0}});
  model.add<Surface>({.name = "cable", .of = shapes::Rope{{one, two}, 0.01}});
  EXPECT_EQ(message_of<ModelError>([&] { search(); }),
            "contact set \"s\": there are no contacts between the cylinder or cone can and the rope cable");
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
