#pragma once

#include <picus/recorder.hpp>
#include <picus/solvers/analyses/vibration_modes.hpp>

#include <initializer_list>

namespace picus {

/// Records modes in the layout of a run (docs/results.md), one record per mode: time is the frequency in Hz (negative
/// if unstable), positions are those of `state` displaced along the mode, velocities are the mass-normalised mode
/// shape. The attributes of /integrator are w^2 and the residual of each mode, and the factor of its displacement.
///
/// `amplitude`: largest displacement over the size of the model, and largest angle in radians.
void record_modes(const System& system, const State& state, const VibrationModes& modes,
                  std::initializer_list<Recorder*> recorders, double amplitude = 0.1);

}  // namespace picus
