#pragma once

/// A rod that topples with its lower end on a rough floor, in the x-y plane.
///
///            y     / rod: m, length l, thin
///            |    /
///            |   + C            theta from the vertical, positive towards x; g along -y
///            |  / theta
///       -----o--------> x       floor: mu; the end slides, sticks and reverses its slip
///
/// The end leaves the floor for good when the normal force vanishes.

#include <picus/model.hpp>
#include <picus/models/references/planar_contact_reference.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct RodOnFloor {
  double mass = 1.0;    ///< m, kg
  double length = 1.0;  ///< l, m
  double mu = 0.2;
  double gravity = 9.81;     ///< m/s2
  double inclination = 0.4;  ///< initial theta, rad
  double rate = 0.3;         ///< initial rate of theta, rad/s; the centre of mass initially moves along y
};

/// Node `rod` at its centre of mass, contact `floor`.
Model make_rod_on_floor(const RodOnFloor& parameters = {});

/// Errors of the inclination and of the position of the centre of mass.
Measures rod_on_floor_measures(const RunInfo& run, const RodOnFloor& parameters);

/// "inclination", its rate ("rate"), "rod.x", "rod.vx" and the normal impulse divided by h ("force"), each with the
/// exact value (of the force: at mid-step); state of the contact and energy.
Signals rod_on_floor_signals(const RunInfo& run, const RodOnFloor& parameters);

/// The same motion from equations with explicit contact forces.
PlanarContactReference rod_on_floor_reference(const RodOnFloor& parameters,
                                              StopRequest stop_request = nullptr);

RegisteredModel registered_rod_on_floor();

}  // namespace picus::models
