#pragma once

/// A soft cube on the border of a table, x across the border and z upwards: with its centre over the table it bends over
/// the edge and comes to rest, with its centre beyond the edge it falls.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SoftCube {
  double side = 0.1;           ///< m
  double centre = -0.012;      ///< of the cube at the start; the border is at 0, m
  Index cells = 4;             ///< along x, one less along y and z
  double modulus = 4e4;        ///< Young's modulus, N/m2
  double density = 1000.0;     ///< kg/m3
  double damping_time = 0.02;  ///< of the material, s
  double mu = 0.5;             ///< coefficient of friction
  double gravity = 9.81;       ///< m/s2
};

/// Solid and surface `cube`, surface `table`, contact set `all`.
Model make_soft_cube(const SoftCube& parameters = {});

/// Measures the force of the table on the cube over its weight, at the end.
Measures soft_cube_measures(const RunInfo& run, const SoftCube& parameters);

/// "force" of the table upwards over the weight, "height" (mean of the nodes' z), and energy.
Signals soft_cube_signals(const RunInfo& run, const SoftCube& parameters);

RegisteredModel registered_soft_cube();

}  // namespace picus::models
