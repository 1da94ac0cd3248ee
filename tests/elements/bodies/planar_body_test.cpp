#include <picus/elements/bodies/planar_body.hpp>
#include <picus/system.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::planar_body_test {
namespace {

using support::message_of;

PlanarBodyParameters crank() {
  return {.name = "crank",
          .position = {1, 2, 0.5},
          .angle = 0.3,
          .velocity = {0.1, -0.2, 0},
          .angular_velocity = 4.0,
          .mass = 2.0,
          .inertia = 0.05};
}

TEST(PlanarBody, IsANodeInThePlaneWithItsMass) {
  Model model("m");
  const PlanarBody body = add_planar_body(model, crank());
  EXPECT_EQ(model.find_node("crank"), body.node);
  EXPECT_EQ(model.find_element("crank").name(), "crank");
  const Configuration& q = model.initial_configuration();
  EXPECT_EQ(body.body->mass_point().mass, 2.0);
  EXPECT_EQ(body.body->mass_point().point.position(q), Vec3(1, 2, 0.5));
  EXPECT_LE((body.at({1, 0, 0}).position(q) - Vec3(1 + std::cos(0.3), 2 + std::sin(0.3), 0.5)).norm(), 1e-15);
  const System system(model);
  EXPECT_EQ(system.free_dofs().size(), 3U);  // x, y and the rotation about z
  const Eigen::MatrixXd M = support::mass(*body.body, q);
  EXPECT_EQ(M(0, 0), 2.0);
  EXPECT_EQ(M(5, 5), 0.05);
  EXPECT_EQ(model.initial_velocity()[5], 4.0);
  EXPECT_EQ(model.initial_velocity()[1], -0.2);
}

TEST(PlanarBody, RefusesWhatLeavesThePlaneAndWhatIsNoBody) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refusal = [](const PlanarBodyParameters& parameters) {
    Model model("m");
    const std::string message = message_of<ModelError>([&] { add_planar_body(model, parameters); });
    EXPECT_TRUE(model.nodes().empty()) << "something was added";
    return message;
  };
  PlanarBodyParameters wrong = crank();
  wrong.velocity.z() = 0.1;
  EXPECT_EQ(refusal(wrong), "planar body \"crank\": velocity along z is 0.1 m/s, must be zero");
  wrong = crank();
  wrong.angle = nan;
  EXPECT_EQ(refusal(wrong), "planar body \"crank\": angle is nan rad, must be a finite number");
  wrong = crank();
  wrong.mass = 0.0;
  EXPECT_EQ(refusal(wrong), "planar body \"crank\": mass is 0 kg, must be positive");
  wrong = crank();
  wrong.inertia = -1.0;
  EXPECT_EQ(refusal(wrong), "planar body \"crank\": inertia is -1 kg m2, must not be negative");
}

}  // namespace
}  // namespace picus::planar_body_test
