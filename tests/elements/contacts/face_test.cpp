#include <picus/elements/contacts/face.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

using support::message_of;

const Culprit who{"contact", "C"};

TEST(Face, DirectionsAreARightHandedTriadWithTheGivenTangent) {
  const Model model;
  const Mat3 E = checked_directions(who, {.normal = {0, 3, 0}, .tangent = Vec3(1, 7, 1)}, model);
  support::expect_near(E.transpose() * E, Mat3::Identity(), 1e-15, "products of directions");
  EXPECT_NEAR(E.determinant(), 1.0, 1e-15);
  support::expect_near(E.col(1), Vec3(1, 0, 1).normalized(), 1e-15, "tangent");
}

TEST(Face, RefusesANodeOfAnotherModel) {
  const Model model("m");
  EXPECT_EQ(message_of<ModelError>([&] {
              checked_directions(who, {.node = FrameNode{}, .normal = {0, 1, 0}}, model);
            }),
            "contact \"C\": node of the face is not a node of model \"m\"");
}

TEST(Face, ALawWithoutFrictionHasNoDirections) {
  EXPECT_EQ(checked_law(who, 0.0, 0.5, 0.0, 2).friction_directions, 0);
  EXPECT_EQ(checked_law(who, 0.1, 0.5, 0.2, 1).friction_directions, 1);
  EXPECT_EQ(message_of<ModelError>([] { checked_law(who, 0.1, 2.0, 0.0, 2); }),
            "contact \"C\": e_n is 2, must lie in [0, 1]");
}

}  // namespace
}  // namespace picus
