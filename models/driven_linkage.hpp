#pragma once

/// A motor-driven four-bar linkage in which everything does work, for the account of its energies.
///
///              b
///             / \  .                y
///    rocker  /     .  coupler: a damped beam        |
///    2 kg   /        .               |_ x           | g
///          B          . a                           v
///         /          /
///   ---- o B0 ...   / crank, 1 kg    lengths, m: crank 0.25, coupler 1, rocker 0.6, between the bearings 1
///   damper d       o A0
///                  motor: smoothly to a constant speed
///
/// (not to scale; A0 is at the origin, B0 at (1, 0, 0).) Powers of the motor and of the damper summed over time would
/// count axial vibrations of the beam, at 1e4 rad/s, which no step resolves.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct DrivenLinkage {
  double angle = 1.0;             ///< of the crank with the x axis at the start, rad
  double speed = 15.0;            ///< final angular velocity of the motor, rad/s
  double rise = 0.1;              ///< time in which the motor reaches it, s
  double damping = 0.3;           ///< d, of the rotational damper at B0, N m s
  double relaxation_time = 1e-3;  ///< of the material of the coupler, s
  Index elements = 8;             ///< of the coupler
  double gravity = 9.81;          ///< g, m/s2
};

/// Bodies `crank` and `rocker`, beam `coupler`; the angles of the bearings are the scalar nodes `driven` and `braked`.
Model make_driven_linkage(const DrivenLinkage& parameters = {});

/// Largest balance and unexplained energy over the run, and the works of motor and dampers.
Measures driven_linkage_measures(const RunInfo& run, const DrivenLinkage& parameters);

/// The account of energies ("balance", "unexplained", "work_of_motor", "work_of_dampers"), energy, angle of the rocker
/// since the start ("rocker"), violation.
Signals driven_linkage_signals(const RunInfo& run, const DrivenLinkage& parameters);

RegisteredModel registered_driven_linkage();

}  // namespace picus::models
