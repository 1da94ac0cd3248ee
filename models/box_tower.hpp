#pragma once

/// Boxes on top of each other on a floor, z upwards. Each is moved aside and turned about z by a pattern without symmetry, so that edges
/// cross and corners stand on faces.
///
/// The tower stands, and does not move at all, as long as at each joint the centre of mass of all above lies over the area in
/// which the two boxes overlap; with the disorder that is offered it does.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct BoxTower {
  Index count = 20;        ///< of boxes
  double size = 1.0;       ///< of the edges, m
  double density = 600.0;  ///< kg/m3
  double disorder =
      0.1;          ///< how far boxes are moved aside at most, over their size; they turn by 5 rad times this
  double mu = 0.5;  ///< coefficient of friction
  double gravity = 9.81;  ///< m/s2
};

/// Nodes and surfaces `box[0]`, at the bottom, to `box[n - 1]`, surface `floor`, contact set `all`.
Model make_box_tower(const BoxTower& parameters = {});

/// Measures the largest motion of a box, and the force on the floor at the end against the weight.
Measures box_tower_measures(const RunInfo& run, const BoxTower& parameters);

/// "motion" (largest displacement of a box), "floor" (force on it), "contacts" (closed ones), and energy.
Signals box_tower_signals(const RunInfo& run, const BoxTower& parameters);

RegisteredModel registered_box_tower();

}  // namespace picus::models
