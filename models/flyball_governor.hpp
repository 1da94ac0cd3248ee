#pragma once

/// Watt's flyball governor with stiff coupler rods, problem A05 of the IFToMM library of computational benchmark
/// problems (Gonzalez, Dopico, Lugris and Cuadrado 2006).
///
///               ,o.              shaft: 1 m, free to turn about z; arms hinged to its top at +-half_width, alpha below the
///            ,-' | `-.           horizontal, with balls at their ends
///         ,-':   |   :`-.        coupler rods: springs and dampers from the middle of the arms to the
///       O'    `. | .'    `O      sides of the slider, at the height s on the shaft
///               [ ]  s           z up, gravity along -z
///                |
///
/// Shaft, arms and slider are boxes of one density. The coupler motion decays within 40 us, the governor swings
/// within a second: a stiff system.

#include <picus/model.hpp>
#include <picus/models/references/governor_reference.hpp>
#include <picus/models/registered_model.hpp>

#include <numbers>

namespace picus::models {

struct FlyballGovernor {
  double stiffness = 8e5;               ///< of each coupler, N/m
  double damping = 4e4;                 ///< of each coupler, N s/m
  double ball_mass = 5.0;               ///< kg
  double density = 3000.0;              ///< of shaft, arms and slider, kg/m3
  double speed = 2 * std::numbers::pi;  ///< initial angular velocity of the shaft, rad/s
  double angle = std::numbers::pi / 6;  ///< alpha at the start, rad
  double gravity = 9.81;                ///< m/s2
};

/// Nodes `shaft`, `slider`, and `right` and `left` at the centres of mass of the arms.
Model make_flyball_governor(const FlyballGovernor& parameters = {});

/// Error of the slider height.
Measures flyball_governor_measures(const RunInfo& run, const FlyballGovernor& parameters);

/// Height of the slider ("s") and angular velocity of the shaft ("speed") with the reference values; energy,
/// violation.
Signals flyball_governor_signals(const RunInfo& run, const FlyballGovernor& parameters);

GovernorReference flyball_governor_reference(const FlyballGovernor& parameters,
                                             StopRequest stop_request = nullptr);

RegisteredModel registered_flyball_governor();

}  // namespace picus::models
