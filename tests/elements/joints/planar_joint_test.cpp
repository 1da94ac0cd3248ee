#include "joint_models.hpp"
#include <picus/elements/joints/planar_joint.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

namespace picus::planar_joint_test {
namespace {

constexpr double g = 9.81;

/// On an inclined plane a body slides as a point does and rotates at a constant rate.
TEST(PlanarJoint, SlidesAndSpinsOnAnInclinedPlane) {
  constexpr double slope = 0.6, spin = 6.0;
  const Vec3 down(std::cos(slope), 0, -std::sin(slope));
  const Vec3 normal(std::sin(slope), 0, std::cos(slope));
  Model model;
  const Mat3 R = so3::exp({0, slope, 0});  // body z along the normal
  const Vec3 v_0 = 0.5 * Vec3::UnitY() - 1.2 * down;
  const auto body = joint_models::add_body(
      model, "body", 1.5, inertia::box(1.5, {0.1, 0.2, 0.3}),
      {.position = 0.15 * normal, .rotation = R, .velocity = v_0, .angular_velocity = {0, 0, spin}});
  const auto x = model.add_scalar("x", {.value = 1.0, .rate = -1.2});
  const auto y = model.add_scalar("y", {.value = 0.0, .rate = 0.5});
  const auto angle = model.add_scalar("angle", {.value = 0.2, .rate = spin});
  const auto joint = model.add<PlanarJoint>({.name = "J",
                                             .a = MaterialPoint::on_ground(Vec3::Zero()),
                                             .b = {body, {0, 0, -0.15}},
                                             .normal = 2 * normal,
                                             .tangent = Vec3(1, 0, 0),
                                             .x = x,
                                             .y = y,
                                             .angle = angle});
  EXPECT_EQ(joint->row_count(), 6);
  joint_models::run(model, {.step = 1e-3}, 1.0, [&](const State& state) {
    const double t = state.time;
    const Vector values = joint_models::observed(*joint, state);
    // Constant accelerations and a spin about a fixed axis are solved exactly up to the tolerance.
    const double along = -1.2 * t + g * std::sin(slope) * t * t / 2;
    EXPECT_NEAR(values[0], 1.0 + along, 1e-10);
    EXPECT_NEAR(values[2], 0.5 * t, 1e-10);
    EXPECT_NEAR(values[4], 0.2 + spin * t, 1e-10);
    const Vec3 exact = 0.15 * normal + along * down + 0.5 * t * Vec3::UnitY();
    EXPECT_LT((state.q.position(body) - exact).norm(), 1e-10);
  });
}

TEST(PlanarJoint, RefusesATangentAlongTheNormal) {
  Model model;
  const auto b = model.add_frame("b");
  const auto refusal = [&](const Vec3& tangent) {
    return support::message_of<ModelError>([&] {
      model.add<PlanarJoint>({.name = "P",
                              .a = MaterialPoint::on_ground(Vec3::Zero()),
                              .b = b,
                              .normal = Vec3::UnitZ(),
                              .tangent = tangent});
    });
  };
  EXPECT_EQ(refusal({0, 0, -2}), "planar joint \"P\": tangent is along the normal");
  EXPECT_EQ(refusal({0, 0, 0}), "planar joint \"P\": tangent has zero length");
}

}  // namespace
}  // namespace picus::planar_joint_test
