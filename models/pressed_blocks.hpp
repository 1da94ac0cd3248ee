#pragma once

/// The patch test of contact: a uniform pressure on an elastic block that stands on another one with a different mesh.
///
/// Both should have this pressure as their stress everywhere. Nodes pass their shares to the nodes of the faces
/// that they touch, which differ from those of a uniform pressure: the resultant is exact, the stress near the interface
/// is not. Poisson's ratio is 0.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct PressedBlocks {
  Index lower_cells = 2;       ///< of the lower block, in each direction
  Index upper_cells = 3;       ///< of the upper block, in each direction
  double size = 1.0;           ///< edge length of the blocks, m
  double modulus = 1e6;        ///< Young's modulus, N/m2
  double density = 1000.0;     ///< kg/m3
  double damping_time = 0.05;  ///< s, for dynamic runs
  double pressure = 1e3;       ///< N/m2
  double mu = 0.3;             ///< coefficient of friction
  bool two_pass = true;        ///< the nodes of each block contact the faces of the other
};

/// Solids and surfaces `lower` and `upper`, contact set `all`.
Model make_pressed_blocks(const PressedBlocks& parameters = {});

/// Measures the force between the blocks and the largest errors of the stress.
Measures pressed_blocks_measures(const RunInfo& run, const PressedBlocks& parameters);

/// "force" between the blocks over that of the pressure, "lower_stress" and "upper_stress" (largest error of the
/// vertical stress of an element, relative to the pressure), and energy.
Signals pressed_blocks_signals(const RunInfo& run, const PressedBlocks& parameters);

RegisteredModel registered_pressed_blocks();

}  // namespace picus::models
