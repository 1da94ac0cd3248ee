#pragma once

/// Two equal elastic bars with non-matching meshes collide end to end, one moving, one at rest.
///
/// Fronts behind which the speed is halved travel through both and return from their free ends: after 2 L/c the bars
/// separate, the first at rest, the second with the full speed (d'Alembert). Poisson's ratio is 0 and nodes move along
/// the bars only.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct CollidingBars {
  Index cells = 12;         ///< along each bar
  double length = 1.0;      ///< L, m
  double width = 0.2;       ///< m
  double modulus = 1e6;     ///< Young's modulus, N/m2
  double density = 1000.0;  ///< kg/m3
  double speed = 0.1;       ///< of the first bar, m/s
  double gap = 1e-4;        ///< at the start, m
};

/// Solids and surfaces `first` and `second`, contact set `all`.
Model make_colliding_bars(const CollidingBars& parameters = {});

/// c, m/s.
double colliding_bars_wave_speed(const CollidingBars& parameters);

/// Measures the time of contact, and the mean speeds of both bars at the end.
Measures colliding_bars_measures(const RunInfo& run, const CollidingBars& parameters);

/// "force" between the bars, "first" and "second" (mean speeds), and energy.
Signals colliding_bars_signals(const RunInfo& run, const CollidingBars& parameters);

RegisteredModel registered_colliding_bars();

}  // namespace picus::models
