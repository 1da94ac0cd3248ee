#include <picus/elements/contacts/feature.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <string>

namespace picus::feature_test {
namespace {

using support::message_of;

TEST(Feature, HasAnExtentBeyondTheRoundingOfItsPlace) {
  Model model;
  const Culprit who{"contact", "c"};
  for (const double place : {0.0, 1.0, 1e6}) {
    const auto body = model.add_frame("body" + std::to_string(place), {.position = {place, 0, 0}});
    const auto edge = [&](double length) { return Feature::edge(body, {body, {length, 0, 0}}); };
    EXPECT_NO_THROW(require_feature(who, "a", edge(1e-3), model));
    EXPECT_EQ(message_of<ModelError>([&] { require_feature(who, "a", edge(1e-17 * place), model); }),
              "contact \"c\": a has both ends at one point");
    const auto sliver = Feature::triangle(body, {body, {1, 0, 0}}, {body, {2, 1e-12, 0}});
    EXPECT_EQ(message_of<ModelError>([&] { require_feature(who, "a", sliver, model); }),
              "contact \"c\": a has three corners on one line");
  }
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
  EXPECT_EQ(picture.spheres.size(), 2U);
}

}  // namespace
}  // namespace picus::feature_test
