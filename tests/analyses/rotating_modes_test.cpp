// Modes in rotating frames.

#include "modes.hpp"
#include <picus/picus.hpp>
#include <support/rods.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus {
namespace {

using support::Spring;

/// A mass between four springs along x and y: w_0^2 = 2 k/m in all directions of the plane.
Model make_isotropic() {
  Model model("isotropic");
  const PointNode mass = model.add_point("mass");
  model.fix(mass, {Component::z});
  model.add<PointMass>({.name = "m", .node = mass, .mass = 2.0});
  const std::array<Vec3, 4> ends = {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)};
  for (int i = 0; i < 4; ++i) {
    const PointNode end = model.add_point(numbered("end", i), {.position = ends[i]});
    model.fix(end);
    model.add<Spring>({.name = numbered("spring", i), .a = end, .b = mass, .stiffness = 9.0});
  }
  return model;
}

TEST(VibrationModes, SpinSoftensAndCoriolisForcesSplit) {
  const Model model = make_isotropic();
  const System system(model);
  const Vec3 spin(0, 0, 1.3);
  const State state = find_equilibrium(system, {.angular_velocity = spin});
  const VibrationModes modes = find_vibration_modes(system, state, {.angular_velocity = spin});
  ASSERT_EQ(modes.eigenvalues.size(), 2);
  EXPECT_NEAR(modes.eigenvalues[0], 9.0 - 1.69, rounded * 10);
  EXPECT_NEAR(modes.eigenvalues[1], 9.0 - 1.69, rounded * 10);
  // In the inertial frame both modes rotate at w_0 = 3, forward and backward.
  const RotatingModes rotating = find_rotating_modes(system, state, {.angular_velocity = spin});
  ASSERT_EQ(rotating.frequencies.size(), 2);
  EXPECT_NEAR(2 * pi * rotating.frequencies[0], 3.0 - 1.3, rounded * 3);
  EXPECT_NEAR(2 * pi * rotating.frequencies[1], 3.0 + 1.3, rounded * 3);
  EXPECT_LT(rotating.growth_rates.cwiseAbs().maxCoeff(), rounded);
  EXPECT_LT(rotating.residuals.maxCoeff(), 1e-10);
}

TEST(VibrationModes, FastRigidBodyOnAHingeTurnsWithItsSpin) {
  // The rod of a governor that points outwards, for out-of-plane swings: w^2 = w_spin^2 (m a c + (m c^2 + J_y - ...))
  // about the hinge axis y, with the centre at c beyond the hinge at radius a, and a thin rod (J_x = 0,
  // J_y = J_z = J): out of plane the restoring moment is w^2 (m (a + c) c + J) s, so w_f^2 = w^2 (1 + m a c/(J + m
  // c^2)).
  const double a = 0.5, c = 0.4, m = 2.0, J = 0.1, w = 7.0;
  Model model("flap");
  const FrameNode shaft = model.add_frame("shaft");
  const FrameNode blade = model.add_frame("blade", {.position = {a + c, 0, 0}});
  model.fix(shaft);
  model.add<RigidBody>({.name = "body", .node = blade, .mass = m, .inertia = Vec3(0, J, J).asDiagonal()});
  model.add<Hinge>(
      {.name = "hinge", .a = {shaft, Vec3(a, 0, 0)}, .b = {blade, Vec3(-c, 0, 0)}, .axis = Vec3::UnitY()});
  const System system(model);
  const Vec3 spin(0, 0, w);
  const State state = find_equilibrium(system, {.angular_velocity = spin});
  const double exact = w * w * (1 + m * a * c / (J + m * c * c));
  const VibrationModes modes = find_vibration_modes(system, state, {.angular_velocity = spin});
  ASSERT_EQ(modes.eigenvalues.size(), 1);
  EXPECT_NEAR(modes.eigenvalues[0], exact, balanced * exact);
  const RotatingModes rotating = find_rotating_modes(system, state, {.angular_velocity = spin});
  EXPECT_NEAR(2 * pi * rotating.frequencies[0], std::sqrt(exact), balanced * w);
}
}  // namespace
}  // namespace picus
