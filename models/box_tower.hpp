#pragma once

/// Boxes stacked on a floor, z upwards. Each is displaced and rotated about z in an asymmetric pattern, so that edges
/// cross and corners stand on faces.
///
/// The tower stands without any motion as long as, at each interface, the centre of mass of the boxes above lies over
/// the area where the two boxes overlap; with the default disorder it does.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct BoxTower {
  Index count = 20;        ///< number of boxes
  double size = 1.0;       ///< edge length, m
  double density = 600.0;  ///< kg/m3
  double disorder =
      0.1;          ///< largest displacement of a box relative to its size; boxes rotate by 5 rad times this
  double mu = 0.5;  ///< coefficient of friction
  double gravity = 9.81;  ///< m/s2
};

/// Nodes and surfaces `box[0]`, at the bottom, to `box[n - 1]`, surface `floor`, contact set `all`.
Model make_box_tower(const BoxTower& parameters = {});

/// Measures the largest motion of a box, and the force on the floor at the end compared with the weight.
Measures box_tower_measures(const RunInfo& run, const BoxTower& parameters);

/// "motion" (largest displacement of a box), "floor" (force on it), "contacts" (number of closed ones), and energy.
Signals box_tower_signals(const RunInfo& run, const BoxTower& parameters);

RegisteredModel registered_box_tower();

}  // namespace picus::models
