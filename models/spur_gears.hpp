#pragma once

/// Two spur gears with involute teeth, made of triangles, on parallel axes along z. The driver turns steadily, the
/// other one moves a load.
///
/// Each tooth that passes advances the driven gear by one tooth: over whole teeth the ratio of the angles is that of
/// the numbers of teeth, and the work of the motor is that of the load. Flanks are polygons, so that in between the
/// ratio deviates, and a little energy is lost where one chord follows another.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SpurGears {
  double module = 0.01;       ///< pitch diameter over number of teeth, m
  Index driver_teeth = 18;    ///< teeth of the driver
  Index driven_teeth = 27;    ///< teeth of the driven gear
  double play = 2e-4;         ///< by which each tooth is thinner at the pitch circle, m
  Index chords = 8;           ///< of a flank
  double tooth_time = 0.175;  ///< time in which a tooth passes, s
  double load = 5.0;          ///< moment against the motion of the driven gear, N m
  double density = 7800.0;    ///< kg/m3
};

/// Nodes and surfaces `driver` and `driven`, contact set `teeth`.
Model make_spur_gears(const SpurGears& parameters = {});

/// Speed of the driver, rad/s.
double spur_gears_speed(const SpurGears& parameters);

/// Measures the ratio of the angles over whole teeth after the first.
Measures spur_gears_measures(const RunInfo& run, const SpurGears& parameters);

/// "driven" (angle of the driven gear since the start, in [-pi, pi]), "torque" of the motor, and energy.
Signals spur_gears_signals(const RunInfo& run, const SpurGears& parameters);

RegisteredModel registered_spur_gears();

}  // namespace picus::models
