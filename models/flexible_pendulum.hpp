#pragma once

/// A flexible pendulum that falls from the horizontal and hits a wall with its tip (thesis, section 3.3.3; Chen 2013,
/// section 5.4 with elements = 4, restitution = 0.8, gravity = 10).
///
///      y
///      |              |/
///      |              |/
///      o==o==o==o==o==|==o==o==o==o    beam: L, side a, E, nu, rho; beam[0] is the pivot, beam[n] the tip
///    --+--------------|-----------> x
///      |              |/     | g
///      |          x_w |/     v
///
/// Only the tip can touch the wall; its free side is x > x_w, where the tip starts. No friction. The motion is in the
/// x-y plane. Without damping the discretised beam has vibrations of 1e6 rad/s, which impacts excite and no practical
/// step resolves; a relaxation time, or a start just before the impact and steps below 1e-6 s, reveal the order of a
/// scheme.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>
#include <numbers>

namespace picus::models {

struct FlexiblePendulum {
  Index elements = 8;
  double length = 1.0;                      ///< L, m
  double side = 0.01;                       ///< a, side of the square section, m
  double youngs_modulus = 2.1e11;           ///< E, N/m2
  double poissons_ratio = 0.3;              ///< nu
  double density = 7800.0;                  ///< rho, kg/m3
  double wall = std::numbers::sqrt2 / 2.0;  ///< x_w, m
  double restitution = 0.0;                 ///< e
  double gravity = 9.81;                    ///< m/s2
  double relaxation_time = 0.0;             ///< of the material, s: Kelvin-Voigt damping
  double inclination = 0.0;                 ///< initial angle below the horizontal, rad
  double rate = 0.0;                        ///< initial rate at which the straight beam falls, rad/s
};

/// Nodes `beam[0]` to `beam[n]`, contact `wall`. Sensors at 1 kHz: `tip`; `middle`, the outer fibre at mid-length;
/// `pivot`, the reaction on the beam there.
Model make_flexible_pendulum(const FlexiblePendulum& parameters = {});

/// Measures the first impact, and the evolution of the energy.
Measures flexible_pendulum_measures(const RunInfo& run, const FlexiblePendulum& parameters);

/// Position and velocity of the tip, gap and force at the wall, force of the pivot, energies.
Signals flexible_pendulum_signals(const RunInfo& run, const FlexiblePendulum& parameters);

RegisteredModel registered_flexible_pendulum();

}  // namespace picus::models
