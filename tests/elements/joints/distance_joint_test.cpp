#include "joint_models.hpp"
#include <picus/elements/joints/distance_joint.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/tangents.hpp>

#include <limits>

namespace picus::distance_joint_test {
namespace {

constexpr double g = 9.81;

TEST(DistanceJoint, TakesItsLengthFromTheStartUnlessItIsGiven) {
  Model model;
  const auto a = model.add_point("a", {.position = {1, 0, 0}});
  const auto b = joint_models::add_mass(model, "b", 1.0, {.position = {1, 3, 4}});
  model.fix(a);
  const auto joint = model.add<DistanceJoint>({.name = "J", .a = a, .b = b});
  EXPECT_EQ(joint->length(), 5.0);
  EXPECT_EQ(joint->row_count(), 1);
  EXPECT_NEAR(joint_models::least_singular_value(*joint, model.initial_configuration()), std::sqrt(2.0),
              1e-14);
  support::expect_exact_tangents(model, *joint);

  Model shorter;
  const auto c = joint_models::add_mass(shorter, "c", 1.0, {.position = {1, 3, 4}});
  const auto rod = shorter.add<DistanceJoint>(
      {.name = "J", .a = MaterialPoint::on_ground({1, 0, 0}), .b = c, .length = 4.0});
  const State start = joint_models::run(shorter, {.step = 1e-3}, 1e-3).final_state;
  EXPECT_NEAR(joint_models::observed(*rod, start)[0], 4.0, 1e-12) << "the start is projected";
}

/// A conical pendulum: the mass circles at the angle theta with omega^2 = g/(L cos(theta)), and the rod pulls with m
/// g/cos(theta).
TEST(DistanceJoint, AConicalPendulumGoesRound) {
  constexpr double length = 0.8, theta = 0.9, mass = 1.4;
  const double omega = std::sqrt(g / (length * std::cos(theta)));
  const double radius = length * std::sin(theta);
  const auto error = [&](double h) {
    Model model;
    const auto bob = joint_models::add_mass(
        model, "bob", mass,
        {.position = {radius, 0, -length * std::cos(theta)}, .velocity = {0, radius * omega, 0}});
    model.add<DistanceJoint>({.name = "J", .a = MaterialPoint::on_ground({0, 0, 0}), .b = bob});
    double worst = 0;
    joint_models::run(model, {.step = h}, 1.0, [&](const State& state) {
      const double phi = omega * state.time;
      const Vec3 exact(radius * std::cos(phi), radius * std::sin(phi), -length * std::cos(theta));
      worst = std::max({worst, (state.q.position(bob) - exact).norm(),
                        std::abs(state.constraint_force[0] + mass * g / std::cos(theta))});
    });
    return worst;
  };
  joint_models::expect_second_order(error, 4e-3);
}

/// A spherical pendulum with arbitrary initial velocity conserves its energy and its angular momentum about the
/// vertical.
TEST(DistanceJoint, ASphericalPendulumKeepsItsInvariants) {
  const auto error = [](double h) {
    Model model;
    const auto bob =
        joint_models::add_mass(model, "bob", 1.0, {.position = {0.6, 0, -0.8}, .velocity = {0.4, 2.0, 0.3}});
    model.add<DistanceJoint>({.name = "J", .a = MaterialPoint::on_ground({0, 0, 0}), .b = bob});
    double worst = 0;
    double momentum_0 = 0, energy_0 = 0;
    joint_models::run(
        model, {.step = h}, 2.0,
        [&](const State& state) {
          const Vec3 x = state.q.position(bob);
          const Vec3 u = state.v.segment<3>(bob.v);
          const double momentum = x.cross(u).z();
          const double energy = u.squaredNorm() / 2 + g * x.z();
          if (state.step == 0) {
            momentum_0 = momentum;
            energy_0 = energy;
          }
          worst = std::max({worst, std::abs(momentum - momentum_0), std::abs(energy - energy_0)});
        },
        {.rho_inf = 1.0});
    return worst;
  };
  joint_models::expect_second_order(error, 4e-3);
}

TEST(DistanceJoint, RefusesLengthsThatAreNone) {
  Model model;
  const auto a = model.add_point("a", {.position = {1, 0, 0}});
  const auto refusal = [&](const MaterialPoint& b, std::optional<double> length) {
    return support::message_of<ModelError>(
        [&] { model.add<DistanceJoint>({.name = "D", .a = a, .b = b, .length = length}); });
  };
  const MaterialPoint away = MaterialPoint::on_ground({2, 0, 0});
  EXPECT_EQ(refusal(MaterialPoint::on_ground({1, 0, 0}), {}),
            "distance joint \"D\": a and b are at the same place");
  EXPECT_EQ(refusal(MaterialPoint::on_ground({1, 0, 0}), 1.0),
            "distance joint \"D\": a and b are at the same place");
  EXPECT_EQ(refusal(away, 0.0), "distance joint \"D\": length is 0 m, must be positive");
  EXPECT_EQ(refusal(away, -1.0), "distance joint \"D\": length is -1 m, must be positive");
  EXPECT_EQ(refusal(away, std::numeric_limits<double>::infinity()),
            "distance joint \"D\": length is inf m, must be a finite number");
}

}  // namespace
}  // namespace picus::distance_joint_test
