// A beam in free flight, bent and spinning: conservation of energy and momenta by time integration.

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/mass_matrix.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// A helical segment that tumbles at about 3 rad/s, soft enough to bend visibly.
struct FlyingBeam {
  explicit FlyingBeam(double relaxation_time) {
    const Section section = Section::constants({.EA = 2e3,
                                                .GA1 = 1e3,
                                                .GA2 = 1e3,
                                                .GJ = 0.4,
                                                .EI1 = 0.6,
                                                .EI2 = 0.5,
                                                .mass = 2,
                                                .I1 = 0.006,
                                                .I2 = 0.005,
                                                .relaxation_time = relaxation_time});
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

  /// Calls visit(now) after each step until 1 s, and returns the start.
  template <class Visit>
  Conserved fly(double step, Visit&& visit) {
    const System system(model);
    DecoupledNsga integrator({.step = step}, {.rho_inf = 0.9});
    State state = integrator.start(system);
    const Conserved first = measure(system, state);
    while (state.time < 1.0 - step / 2) {
      integrator.step(state);
      visit(first, measure(system, state));
    }
    return first;
  }

  Model model;
  BeamMesh beam;
};

/// Largest relative deviations over a run.
struct Drift {
  double momentum = 0.0, moment = 0.0, energy = 0.0, strain_energy = 0.0;
};

Drift drift(FlyingBeam flying, double step) {
  Drift worst;
  flying.fly(step, [&](const FlyingBeam::Conserved& first, const FlyingBeam::Conserved& now) {
    worst.momentum = std::max(worst.momentum, (now.momentum - first.momentum).norm() / first.momentum.norm());
    worst.moment = std::max(worst.moment, (now.moment - first.moment).norm() / first.moment.norm());
    worst.energy = std::max(worst.energy, std::abs(now.energy - first.energy) / first.energy);
    worst.strain_energy = std::max(worst.strain_energy, now.strain_energy / first.energy);
  });
  return worst;
}

TEST(BeamFlight, KeepsMomentumToRoundingAndEnergyAndMomentOfMomentumToTheOrderOfTheScheme) {
  const Drift coarse = drift(FlyingBeam(0.0), 4e-3);
  const Drift fine = drift(FlyingBeam(0.0), 2e-3);
  EXPECT_GT(coarse.strain_energy, 0.01) << "the beam hardly bends, and the test has no point";
  EXPECT_LT(coarse.momentum, 1e-14);
  EXPECT_LT(fine.momentum, 1e-14);
  EXPECT_LT(coarse.moment, 1e-3);
  EXPECT_LT(coarse.energy, 1e-3);
  // Second order, with some oscillation of the maximum over a run.
  EXPECT_NEAR(coarse.moment / fine.moment, 4, 0.5);
  EXPECT_NEAR(coarse.energy / fine.energy, 4, 0.5);
}

TEST(BeamFlight, DampingTakesEnergyButNoMomentum) {
  double least = 1e300;
  double gain = 0.0;
  double turned = 0.0;
  FlyingBeam flying(0.02);
  const auto first =
      flying.fly(2e-3, [&](const FlyingBeam::Conserved& start, const FlyingBeam::Conserved& now) {
        gain = std::max(gain, now.energy - std::min(least, start.energy));
        least = std::min(least, now.energy);
        turned = std::max(turned, (now.moment - start.moment).norm() / start.moment.norm());
        EXPECT_LT((now.momentum - start.momentum).norm(), 1e-14 * start.momentum.norm());
      });
  EXPECT_LT(least, 0.998 * first.energy);  // most of it is in the rigid motion, which is conserved
  EXPECT_LT(gain, 1e-4 * first.energy);    // the error of the scheme over a step
  EXPECT_LT(turned, 1e-3);
}

}  // namespace
}  // namespace picus
