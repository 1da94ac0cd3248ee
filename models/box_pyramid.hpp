#pragma once

/// A wall of boxes on a floor in the shape of a pyramid, z upwards: each box of a row stands on two of the row below,
/// with gaps between neighbours. A base of six makes 21 boxes. It stands without any motion.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct BoxPyramid {
  Index base = 6;          ///< number of boxes in the lowest row
  double size = 1.0;       ///< edge length, m
  double gap = 0.05;       ///< between boxes of a row, relative to the size
  double density = 600.0;  ///< kg/m3
  double mu = 0.5;         ///< coefficient of friction
  double gravity = 9.81;   ///< m/s2
};

/// Nodes and surfaces `box[0]` to `box[n - 1]`, row by row from below, surface `floor`, contact set `all`.
Model make_box_pyramid(const BoxPyramid& parameters = {});

/// Measures the largest motion of a box, and the force on the floor at the end compared with the weight.
Measures box_pyramid_measures(const RunInfo& run, const BoxPyramid& parameters);

/// "motion" (largest displacement of a box), "floor" (force on it), "contacts" (number of closed ones), and energy.
Signals box_pyramid_signals(const RunInfo& run, const BoxPyramid& parameters);

RegisteredModel registered_box_pyramid();

}  // namespace picus::models
