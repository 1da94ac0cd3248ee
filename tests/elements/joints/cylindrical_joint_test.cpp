#include "joint_models.hpp"
#include <picus/elements/joints/cylindrical_joint.hpp>

namespace picus::cylindrical_joint_test {
namespace {

constexpr double g = 9.81;

/// On a vertical axis an eccentric body rotates at a constant rate and falls freely: the two motions are independent.
TEST(CylindricalJoint, SpinsAndSlidesIndependently) {
  constexpr double mass = 2.0, eccentricity = 0.3, spin = 5.0, climb = 1.5;
  const auto error = [&](double h) {
    Model model;
    const auto body = joint_models::add_body(model, "body", mass, inertia::diagonal(0.03, 0.04, 0.05),
                                             {.position = {eccentricity, 0, 0},
                                              .velocity = {0, eccentricity * spin, climb},
                                              .angular_velocity = {0, 0, spin}});
    const auto angle = model.add_scalar("angle", {.value = 0.0, .rate = spin});
    const auto height = model.add_scalar("height", {.value = 0.0, .rate = climb});
    const auto joint = model.add<CylindricalJoint>({.name = "J",
                                                    .a = MaterialPoint::on_ground({0, 0, -1}),
                                                    .b = {body, {-eccentricity, 0, 0}},
                                                    .axis = Vec3::UnitZ(),
                                                    .angle = angle,
                                                    .displacement = height});
    EXPECT_EQ(joint->row_count(), 6);
    double worst = 0;
    joint_models::run(model, {.step = h}, 1.0, [&](const State& state) {
      const double t = state.time;
      const double z = climb * t - g * t * t / 2;
      EXPECT_NEAR(state.q.value(height), z, 1e-11)
          << "constant acceleration, which the scheme solves exactly";
      const Vec3 exact(eccentricity * std::cos(spin * t), eccentricity * std::sin(spin * t), z);
      worst = std::max(
          {worst, std::abs(state.q.value(angle) - spin * t), (state.q.position(body) - exact).norm()});
    });
    return worst;
  };
  joint_models::expect_second_order(error, 4e-3);
}

}  // namespace
}  // namespace picus::cylindrical_joint_test
