// A beam that flies freely, bent and spinning: what time integration keeps of its energy and momenta.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// A helical piece that tumbles at some 3 rad/s, soft enough to bend visibly.
class FlyingBeam : public ::testing::Test {
 protected:
  FlyingBeam() {
    const Section section = Section::constants({.EA = 2e3,
                                                .GA1 = 1e3,
                                                .GA2 = 1e3,
                                                .GJ = 0.4,
                                                .EI1 = 0.6,
                                                .EI2 = 0.5,
                                                .mass = 2,
                                                .I1 = 0.006,
                                                .I2 = 0.005});
    beam = make_beam(model, {.name = "beam",
                             .section = section,
                             .centreline = arc({.from = {0.5, 0, 0}, .angle = 2.0, .rise = 0.5}),
                             .elements = 4,
                             .velocity = {1, 2, -1},
                             .angular_velocity = {1, -2, 2}});
  }

  struct Conserved {
    Vec3 momentum = Vec3::Zero();
    Vec3 moment = Vec3::Zero();  ///< angular momentum about the origin
    double energy = 0.0;
    double strain_energy = 0.0;
  };
  Conserved measure(const System& system, const State& state) const {
    const MassMatrix mass(system);
    Vector p(system.velocity_count());
    mass.multiply(state.v, p);
    Conserved result;
    for (const FrameNode& node : beam.nodes) {
      const Vec3 linear = p.segment<3>(node.v);
      result.momentum += linear;
      result.moment +=
          state.q.position(node).cross(linear) + state.q.rotation(node) * p.segment<3>(node.v + 3);
    }
    result.strain_energy = system.potential_energy(state.q, state.time);
    result.energy = state.v.dot(p) / 2 + result.strain_energy;
    return result;
  }

  struct Drift {
    double momentum = 0.0, moment = 0.0, energy = 0.0, bent = 0.0;  ///< relative, largest over the run
  };
  Drift drift(double step, double rho_inf) {
    const System system(model);
    DecoupledNsga integrator({.step = step, .rho_inf = rho_inf});
    State state = integrator.start(system);
    const Conserved first = measure(system, state);
    Drift worst;
    while (state.time < 1.0 - step / 2) {
      integrator.step(state);
      const Conserved now = measure(system, state);
      worst.momentum =
          std::max(worst.momentum, (now.momentum - first.momentum).norm() / first.momentum.norm());
      worst.moment = std::max(worst.moment, (now.moment - first.moment).norm() / first.moment.norm());
      worst.energy = std::max(worst.energy, std::abs(now.energy - first.energy) / first.energy);
      worst.bent = std::max(worst.bent, now.strain_energy / first.energy);
    }
    return worst;
  }

  Model model;
  BeamMesh beam;
};

TEST_F(FlyingBeam, KeepsMomentumToRoundingAndEnergyAndMomentOfMomentumToTheOrderOfTheScheme) {
  const Drift coarse = drift(4e-3, 0.9);
  const Drift fine = drift(2e-3, 0.9);
  EXPECT_GT(coarse.bent, 0.01) << "the strain energy is a small part of all, and the test has no point";
  EXPECT_LT(coarse.momentum, 1e-14);
  EXPECT_LT(fine.momentum, 1e-14);
  EXPECT_LT(coarse.moment, 1e-3);
  EXPECT_LT(coarse.energy, 1e-3);
  // Second order, and some oscillation of what is largest over a run.
  EXPECT_NEAR(coarse.moment / fine.moment, 4, 0.5);
  EXPECT_NEAR(coarse.energy / fine.energy, 4, 0.5);
}

}  // namespace
}  // namespace picus
