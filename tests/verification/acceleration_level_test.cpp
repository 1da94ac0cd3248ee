// The decoupled scheme with joints and closed contacts at acceleration level: forces of joints and contacts at the end
// of a step, after impacts too, and contacts whose forces have no solution or act on unresolved vibrations.

#include <picus/energy.hpp>
#include <picus/models/flexible_pendulum.hpp>
#include <picus/models/painleve_rod.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/rigid_pendulum.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/models/three_masses.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace picus::acceleration_level_test {
namespace {

using namespace models;

/// Forces of the joint in the steps after that of the first impact, N.
std::vector<double> joint_forces_after_impact(const std::string& scheme, double h) {
  const Model model = make_rigid_pendulum();
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  while (state.contact_impulse[0] == 0.0) integrator->step(state);
  std::vector<double> forces;
  for (int i = 0; i < 50; ++i) {
    integrator->step(state);
    forces.push_back((state.constraint_force + state.constraint_impulse / h).norm());
  }
  return forces;
}

/// Largest second difference after some steps, N; of a smooth force it is h^2 times its second derivative.
double oscillation(const std::vector<double>& forces, std::size_t first) {
  double largest = 0;
  for (std::size_t i = first; i + 2 < forces.size(); ++i)
    largest = std::max(largest, std::abs(forces[i] - 2 * forces[i + 1] + forces[i + 2]));
  return largest;
}

// Rates that vanish at both ends of a step make the error of an acceleration change its sign. The force of the pendulum
// after its impact, m (l w^2 + g cos), changes by 0.06 N in a step, its slope by 1e-4 N.
TEST(AccelerationLevel, ForcesOfJointsDoNotOscillateAfterAnImpact) {
  EXPECT_GT(oscillation(joint_forces_after_impact("ds:rho_inf=1", 1e-3), 2), 1.0);
  EXPECT_GT(oscillation(joint_forces_after_impact("ds", 1e-3), 2), 1.0);
  EXPECT_LT(oscillation(joint_forces_after_impact("ds-a:rho_inf=1", 1e-3), 2), 1e-3);
  // What the corrections still add is halved, with the opposite sign, in each step.
  EXPECT_LT(oscillation(joint_forces_after_impact("ds-a", 1e-3), 20), 1e-3);
}

// A stop that is touched at the start has no force there: its acceleration is that without the stop, 5 m/s2 (Rezaei and
// Schindler, figures 17 and 18).
TEST(AccelerationLevel, TheForceOfAStopFollowsTheReferenceFromTheThirdStepOn) {
  const Model model = make_three_masses({.end = ThreeMasses::End::stop});
  const System system(model);
  const Node mass_2 = model.nodes()[2];
  for (const char* scheme : {"ds-a:rho_inf=1", "ds-a:rho_inf=0", "ds-a"}) {
    SCOPED_TRACE(scheme);
    constexpr double h = 0.2618;
    const auto integrator = make_integrator(scheme, {.step = h});
    State state = integrator->start(system);
    for (int i = 0; i < 38; ++i) {
      integrator->step(state);
      // Equilibrium of mass 3, which rests: the preload and the soft spring.
      const double exact = 5.0 + state.q.position(mass_2).x();
      if (i >= 2) {
        EXPECT_NEAR(state.contact_impulse[0] / h, exact, 1e-6);
      }
      EXPECT_LE(std::abs(state.v[model.nodes()[3].v]), 1e-7) << "no residual velocity, no drift";
    }
  }
}

/// Mean error of the force of the guides on a slider that stays on the upper one, at the ends of steps, N.
double guide_force_error(double h, const std::string& mu) {
  const std::vector<std::string> settings = {"crank_angle=0.7853981633974483",
                                             "start_height=0.001",
                                             "crank_speed=20",
                                             "torque=5",
                                             "restitution=0",
                                             "mu=" + mu};
  const TrialResult result = models::run({.scenario = find_model("crank-slider").configure(settings),
                                          .scheme = "ds-a",
                                          .options = {.step = h, .tolerance = 1e-11},
                                          .until = 0.02,
                                          .signals = {"guide.force", "upper_left.gap"}});
  const Series& force = result.find("guide.force");
  double sum = 0.0;
  for (std::size_t i = 2; i < force.values.size(); ++i) {
    EXPECT_LT(force.exact[i], 0.0) << "it is pressed on the upper guide";
    sum += std::abs(force.values[i] - force.exact[i]);
  }
  return sum / static_cast<double>(force.values.size() - 2);
}

TEST(AccelerationLevel, TheForceOfAGuideWithClearanceIsOfSecondOrder) {
  for (const std::string mu : {"0", "0.01"}) {
    const double coarse = guide_force_error(2e-4, mu), fine = guide_force_error(5e-5, mu);
    EXPECT_GT(std::log(coarse / fine) / std::log(4.0), 1.9) << mu;
    EXPECT_LT(std::log(coarse / fine) / std::log(4.0), 2.1) << mu;
  }
}

// In the first step contacts do not act at acceleration level yet: their impulse is small in small steps, but not their
// force. The accelerations, which lack it, are not carried over to the second step, where they would make the force half
// as large again.
TEST(AccelerationLevel, TheForceOfAGuideIsOfSecondOrderInSmallSteps) {
  const double coarse = guide_force_error(5e-5, "0"), fine = guide_force_error(1.25e-5, "0");
  EXPECT_GT(std::log(coarse / fine) / std::log(4.0), 1.9);
  EXPECT_LT(std::log(coarse / fine) / std::log(4.0), 2.1);
}

// For mu = 1.6 there is no force that keeps the sliding end on the floor: the corrections find the impulse.
TEST(AccelerationLevel, TheRodOfPainleveJamsWithoutAGainOfEnergy) {
  for (const double mu : {1.4, 1.6, 2.0}) {
    SCOPED_TRACE(mu);
    const Model model = make_painleve_rod({.mu = mu});
    const System system(model);
    const auto integrator = make_integrator("ds-a", {.step = 1e-3});
    State state = integrator->start(system);
    const EnergyAudit audit(system, state);
    const auto energy = [&] {
      const Energies energies = audit.energies(state);
      return energies.kinetic + energies.potential;
    };
    double last = energy();
    for (int i = 0; i < 300; ++i) {
      integrator->step(state);
      const double now = energy();
      // The error of a step of free fall is (g h)^2 / 2 m.
      EXPECT_LE(now, last + 1e-4) << "step " << i;
      last = now;
    }
  }
}

// The shear modes of the beam, 1e6 rad/s, exert contact forces that no step resolves.
TEST(AccelerationLevel, VibrationsThatNoStepResolvesGainNoEnergyAtAStop) {
  for (const double h : {1e-3, 5e-4, 2e-4}) {
    SCOPED_TRACE(h);
    const Model model = make_flexible_pendulum();
    const System system(model);
    const auto integrator = make_integrator("ds-a", {.step = h});
    State state = integrator->start(system);
    const EnergyAudit audit(system, state);
    const auto energy = [&] {
      const Energies energies = audit.energies(state);
      return energies.kinetic + energies.potential;
    };
    const double start = energy();
    double largest = start;
    while (state.time < 0.4) {
      integrator->step(state);
      largest = std::max(largest, energy());
    }
    // 2.7 J are turned over; a hundredth is the error before the impact at the largest step.
    EXPECT_LE(largest, start + 0.027);
    EXPECT_LT(energy(), start);
  }
}

}  // namespace
}  // namespace picus::acceleration_level_test
