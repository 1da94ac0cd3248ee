/// Two cylinders that collide in free flight without loss, rim on side, rim on rim and side on side: conserved
/// quantities and, for blows through both centres, the velocities of colliding particles.

#include "rounds.hpp"
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace picus::round_collisions_test {
namespace {

using std::numbers::pi;

struct Flight {
  std::string name;
  Mat3 rotation_a, rotation_b;
  Vec3 beside;  ///< of the path of a from the centre of b, m
  bool is_central = false;
};

TEST(RoundCollisions, CylindersThatReboundElasticallyConserveMomentaAndEnergy) {
  const Mat3 upright = Mat3::Identity();
  const Mat3 across = so3::exp(Vec3(pi / 2, 0, 0));
  const Mat3 on_rim = so3::exp(Vec3(0, 0.7, 0));
  const std::vector<Flight> flights = {
      {"side on side, crossed", upright, across, {0, 0, 0}, true},
      {"side on side, off the centres", upright, across, {0, 0.03, 0.06}},
      {"rim on side", on_rim, upright, {0, 0.02, 0.03}},
      {"rim on rim", on_rim, so3::exp(Vec3(0.3, 0.8, 0.2)), {0, 0.01, 0.02}}};
  std::vector<std::pair<OtherFrame, double>> cases = {{OtherFrame{}, 1e-4}};
  for (const OtherFrame& frame : frames()) cases.emplace_back(frame, 2e-4);
  for (const Flight& flight : flights) {
    for (const auto& [frame, h] : cases) {
      SCOPED_TRACE(fmt::format("{}, scale {}, step {}", flight.name, frame.scale, h));
      const double s = frame.scale, r = 0.1 * s, L = 0.3 * s, m_a = 2.0, m_b = 3.0;
      const Vec3 v = frame.Q * Vec3(1.5 * s, 0, 0);
      RoundScene scene;
      const FrameNode a =
          scene.add_cylinder("a", m_a, r, L,
                             {.position = frame.x + frame.Q * (s * (flight.beside - Vec3(0.4, 0, 0))),
                              .rotation = frame.Q * flight.rotation_a,
                              .velocity = v});
      const FrameNode b =
          scene.add_cylinder("b", m_b, r, L, {.position = frame.x, .rotation = frame.Q * flight.rotation_b});
      scene.model.add<ContactsBetween>({.name = "all", .e_n = 1.0});
      DecoupledNsga integrator({.step = h});
      Stepper stepper(scene.model, integrator);
      State state = stepper.start();
      EnergyAudit audit(stepper.system(), state);
      const Momentum before = audit.momentum(state);
      const double energy = audit.energies(state).kinetic;
      int closed = 0;
      for (int i = 0; i * h < 0.4; ++i) closed += stepper.step(state).closed_contacts;
      const Momentum after = audit.momentum(state);
      EXPECT_GT(closed, 0);
      EXPECT_EQ(stepper.statistics().misses, 0);
      // The blow falls before they turn.
      EXPECT_NEAR(audit.energies(state).kinetic / energy, 1.0, 1e-8);
      EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
      // In the step of a blow the correction of positions moves the bodies and their momenta: an error of first order.
      EXPECT_LT((after.angular - before.angular).norm(), h * before.linear.norm() * (L + frame.x.norm()));
      if (!flight.is_central) continue;
      EXPECT_LT((velocity(state, a) - (m_a - m_b) / (m_a + m_b) * v).norm(), 1e-8 * s);
      EXPECT_LT((velocity(state, b) - 2 * m_a / (m_a + m_b) * v).norm(), 1e-8 * s);
    }
  }
}

}  // namespace
}  // namespace picus::round_collisions_test
