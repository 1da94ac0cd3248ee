/// A two-link arm that falls on a rough floor: collisions that stop or turn the sliding of its tip, with every scheme of
/// contacts. The friction of a closed contact takes energy, and collisions without restitution do, whatever turns the sliding.

#include <picus/elements/bodies/planar_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace picus::arm_on_floor_test {
namespace {

constexpr double length = 1.0, mass = 5.0, mu = 0.5;

struct Arm {
  explicit Arm(const std::array<double, 2>& angles, double e) {
    const auto down = [](double angle) { return Vec3(std::sin(angle), -std::cos(angle), 0); };
    Vec3 top(0, 1.5, 0);
    MaterialPoint above = MaterialPoint::on_ground(top);
    std::vector<MassPoint> bodies;
    for (std::size_t i = 0; i < 2; ++i) {
      const PlanarBody rod = add_planar_body(model, {.name = "rod[" + std::to_string(i) + "]",
                                                     .position = top + 0.5 * length * down(angles[i]),
                                                     .angle = angles[i],
                                                     .mass = mass,
                                                     .inertia = mass * length * length / 12});
      model.add<Hinge>({.name = "hinge[" + std::to_string(i) + "]",
                        .a = above,
                        .b = rod.at({0, 0.5 * length, 0}),
                        .axis = Vec3::UnitZ()});
      above = rod.at({0, -0.5 * length, 0});
      top += length * down(angles[i]);
      bodies.push_back({rod.node, mass});
    }
    add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = bodies});
    model.add<NodeToFaceContact>({.name = "floor",
                                  .slave = above,
                                  .face = {.normal = Vec3::UnitY(), .tangent = Vec3(Vec3::UnitX())},
                                  .mu = mu,
                                  .e_n = e,
                                  .friction_directions = 1});
  }
  Model model;
};

class ArmOnFloor : public testing::TestWithParam<std::string> {};

// Where the hinges would reverse the sliding of the tip in a collision, friction stops it: its impulse has the direction
// of the sliding before, and impulse times mean rate is a gain of up to a tenth of the energy that the collision
// dissipates. In the steps after it there is none.
TEST_P(ArmOnFloor, ContactsGainNoEnergy) {
  constexpr double h = 1e-3;
  double apparent_gain = 0.0;
  for (const double e : {0.0, 0.5}) {
    for (const std::array<double, 2>& angles :
         {std::array{0.6, 2.5}, std::array{1.5, -1.0}, std::array{0.3, 2.0}, std::array{1.4, 1.9}}) {
      const Arm arm(angles, e);
      const System system(arm.model);
      const auto integrator = make_integrator(GetParam(), {.step = h});
      State state = integrator->start(system);
      EnergyAudit audit(system, state);
      const double scale = mass * 9.81 * length;
      Energies last = audit.energies(state);
      Vector rate = state.contact_rate;
      for (int i = 0; i < 1500; ++i) {
        const bool is_closed = state.contact_state[0] != ContactState::gap;
        integrator->step(state);
        audit.add_step(state, h, integrator->step_forces());
        const Energies now = audit.energies(state);
        if (is_closed) {
          ASSERT_LE(now.work_of_friction - last.work_of_friction, 1e-6 * scale) << i;
        }
        if (e == 0) {
          ASSERT_LE(now.work_of_contacts - last.work_of_contacts, 1e-6 * scale) << i;
        }
        apparent_gain =
            std::max(apparent_gain, 0.5 * state.contact_impulse[1] * (rate[1] + state.contact_rate[1]));
        rate = state.contact_rate;
        last = now;
      }
      EXPECT_LT(last.work_of_contacts, -0.1 * scale);
    }
  }
  EXPECT_GT(apparent_gain, 1.0) << "J: the collisions of this test turn the sliding";
}

INSTANTIATE_TEST_SUITE_P(Schemes, ArmOnFloor,
                         testing::Values("ds", "ds-a", "dsn", "ds-np", "cs", "chen", "newmark", "moreau-jean",
                                         "mixed"),
                         [](const auto& scheme) {
                           std::string name = scheme.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace picus::arm_on_floor_test
