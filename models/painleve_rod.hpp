#pragma once

/// A rod whose lower end slides on a rough floor, or lands on it, where rigid bodies with Coulomb's law have one solution,
/// none or several (PainleveRodReference), in the plane x-y.
///
///            y     / rod: m, length l, thin
///            |    /
///            |   + C            inclination from the vertical, positive towards x; g along -y
///            |  /
///     <--- --o--------> x       floor: mu, e = 0; slip of the end, negative: against the lean
///
/// The start is in the middle of the paradox, tan(phi) = 2 with phi the angle with the floor: mu > 4/3 leaves no solution without
/// a jump of the velocity.

#include <picus/model.hpp>
#include <picus/models/references/painleve_rod_reference.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct PainleveRod {
  double mass = 1.0;    ///< m, kg
  double length = 1.0;  ///< l, m
  double mu = 1.6;
  double gravity = 9.81;                    ///< m/s2
  double inclination = 0.4636476090008061;  ///< at the start, rad: atan(1/2)
  double rate = 0.0;                        ///< of the inclination at the start, rad/s
  double slip = -1.0;   ///< velocity of the lower end along x at the start, m/s; it has none along y
  double height = 0.0;  ///< of the lower end above the floor at the start, m
};

/// Node `rod` at its centre of mass, contact `floor`.
Model make_painleve_rod(const PainleveRod& parameters = {});

/// Errors of inclination and of the place of the centre of mass, where the motion is unique.
Measures painleve_rod_measures(const RunInfo& run, const PainleveRod& parameters);

/// "inclination", its rate ("rate"), "rod.x", "rod.vx", with the values of the reference where the motion is unique; velocity of
/// the lower end ("end.vx"), gap, state and normal impulse of the contact and energy.
Signals painleve_rod_signals(const RunInfo& run, const PainleveRod& parameters);

PainleveRodReference painleve_rod_reference(const PainleveRod& parameters,
                                            StopRequest stop_request = nullptr);

RegisteredModel registered_painleve_rod();

}  // namespace picus::models
