#include <picus/elements/bodies/point_mass.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus {
namespace {

using support::message_of;

class PointMassTest : public ::testing::Test {
 protected:
  std::string refusal(double mass) {
    return message_of<ModelError>(
        [&] { model.add<PointMass>({.name = "ball", .node = node, .mass = mass}); });
  }

  Model model{"m"};
  PointNode node = model.add_point("node", {.position = {1, 2, 3}});
};

TEST_F(PointMassTest, MassIsTheSameInAllDirections) {
  const auto ball = model.add<PointMass>({.name = "ball", .node = node, .mass = 2.5});
  EXPECT_EQ(support::mass(*ball, model.initial_configuration()), 2.5 * Mat3::Identity());
  EXPECT_TRUE(ball->has_constant_mass());
  support::expect_exact_tangents(model, *ball);
}

TEST_F(PointMassTest, MassPointIsTheNode) {
  const auto ball = model.add<PointMass>({.name = "ball", .node = node, .mass = 2.5});
  EXPECT_EQ(ball->mass_point().mass, 2.5);
  EXPECT_EQ(ball->mass_point().point.position(model.initial_configuration()), Vec3(1, 2, 3));
}

TEST_F(PointMassTest, RefusesAMassThatIsNotPositive) {
  EXPECT_EQ(refusal(0.0), "point mass \"ball\": mass is 0 kg, must be positive");
  EXPECT_EQ(refusal(-1.0), "point mass \"ball\": mass is -1 kg, must be positive");
  EXPECT_EQ(refusal(std::numeric_limits<double>::quiet_NaN()),
            "point mass \"ball\": mass is nan kg, must be a finite number");
}

TEST_F(PointMassTest, RefusesANodeOfNoModel) {
  node = {};
  EXPECT_EQ(refusal(1.0), "point mass \"ball\": node is not a node of model \"m\"");
}

}  // namespace
}  // namespace picus
