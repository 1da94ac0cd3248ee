#pragma once

/// A crate slides over the border of a table, x across the border and z upwards.
///
/// Under friction the resultant of the contact forces acts mu c ahead of the centre, c half the height: the crate slides
/// like a point until this point passes the border, and tips over it from then on.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SlidingCrate {
  double length = 0.4;     ///< of the crate along x, m
  double width = 0.3;      ///< m
  double height = 0.2;     ///< 2 c, m
  double start = -0.4;     ///< of the centre, the border is at 0, m
  double speed = 2.5;      ///< at the start, m/s
  double mu = 0.2;         ///< coefficient of friction
  double density = 600.0;  ///< kg/m3
  double gravity = 9.81;   ///< m/s2
};

/// Node and surface `crate`, surface `table`, contact set `all`.
Model make_sliding_crate(const SlidingCrate& parameters = {});

/// Measures where the centre is when the crate begins to tip.
Measures sliding_crate_measures(const RunInfo& run, const SlidingCrate& parameters);

/// "x" of the centre, "angle" by which the crate has turned, and energy.
Signals sliding_crate_signals(const RunInfo& run, const SlidingCrate& parameters);

RegisteredModel registered_sliding_crate();

}  // namespace picus::models
