#pragma once

/// A rod that falls over with its lower end on a rough floor, in the plane x-y.
///
///            y     / rod: m, length l, thin
///            |    /
///            |   + C            theta from the vertical, positive towards x; g along -y
///            |  / theta
///       -----o--------> x       floor: mu; the end slides, sticks and turns round
///
/// The end leaves the floor for good where the normal force vanishes.

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
  double inclination = 0.4;  ///< theta at the start, rad
  double rate = 0.3;         ///< of theta at the start, rad/s; the centre of mass moves along y
};

/// Node `rod` at its centre of mass, contact `floor`.
Model make_rod_on_floor(const RodOnFloor& parameters = {});

/// Errors of inclination and of the place of the centre of mass.
Measures rod_on_floor_measures(const RunInfo& run, const RodOnFloor& parameters);

/// "inclination", its rate ("rate"), "rod.x", "rod.vx" and the normal impulse over h ("force"), each with the exact value,
/// that of the force in the middle of the step; state of the contact and energy.
Signals rod_on_floor_signals(const RunInfo& run, const RodOnFloor& parameters);

/// The same motion from equations with the forces of the contact written out.
PlanarContactReference rod_on_floor_reference(const RodOnFloor& parameters,
                                              StopRequest stop_request = nullptr);

RegisteredModel registered_rod_on_floor();

}  // namespace picus::models
