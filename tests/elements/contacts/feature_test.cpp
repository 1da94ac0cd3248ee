#include <picus/elements/contacts/feature.hpp>

#include <gtest/gtest.h>

namespace picus::feature_test {
namespace {

TEST(Feature, IsAPointAnEdgeOrATriangleWithARadius) {
  Model model;
  const auto body = model.add_frame("body");
  const auto corner = Feature::point(body);
  EXPECT_EQ(corner.points.size(), 1U);
  EXPECT_EQ(corner.radius, 0.0);
  EXPECT_EQ(Feature::edge(body, {body, {1, 0, 0}}, 0.1).points.size(), 2U);
  EXPECT_EQ(Feature::edge(body, {body, {1, 0, 0}}, 0.1).radius, 0.1);
  EXPECT_EQ(Feature::triangle(body, {body, {1, 0, 0}}, {body, {0, 1, 0}}).points.size(), 3U);
}

TEST(Feature, IsDrawnByItsLinesAndRadius) {
  Model model;
  const auto body = model.add_frame("body");
  Wireframe picture;
  add_to(picture, Feature::triangle(body, {body, {1, 0, 0}}, {body, {0, 1, 0}}));
  ASSERT_EQ(picture.polylines.size(), 1U);
  EXPECT_EQ(picture.polylines[0], (std::vector<Index>{0, 1, 2, 0}));
  add_to(picture, Feature::edge(body, {body, {1, 0, 0}}, 0.1));
  // The edge itself, and three great circles about each end.
  EXPECT_EQ(picture.polylines.size(), 1U + 1U + 6U);
  EXPECT_EQ(picture.polylines[1], (std::vector<Index>{3, 4}));
}

}  // namespace
}  // namespace picus::feature_test
