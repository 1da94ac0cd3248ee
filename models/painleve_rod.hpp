#pragma once

/// A rod whose lower end slides on a rough floor, or lands on it, where rigid-body dynamics with Coulomb's law has
/// one solution, none or several (PainleveRodReference), in the x-y plane.
///
///            y     / rod: m, length l, thin
///            |    /
///            |   + C            inclination from the vertical, positive towards x; g along -y
///            |  /
///     <--- --o--------> x       floor: mu, e = 0; slip of the end, negative: against the inclination
///
/// By default the rod starts in the paradoxical regime, tan(phi) = 2 with phi the angle with the floor: for mu > 4/3
/// there is no solution without a velocity jump.

#include <picus/model.hpp>
#include <picus/models/references/painleve_rod_reference.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct PainleveRod {
  double mass = 1.0;    ///< m, kg
  double length = 1.0;  ///< l, m
  double mu = 1.6;
  double gravity = 9.81;                    ///< m/s2
  double inclination = 0.4636476090008061;  ///< initial, rad: atan(1/2)
  double rate = 0.0;                        ///< initial rate of the inclination, rad/s
  double slip = -1.0;                       ///< initial velocity of the lower end along x, m/s; zero along y
  double height = 0.0;                      ///< initial height of the lower end above the floor, m
};

/// Node `rod` at its centre of mass, contact `floor`.
Model make_painleve_rod(const PainleveRod& parameters = {});

/// Errors of the inclination and of the position of the centre of mass, where the motion is unique.
Measures painleve_rod_measures(const RunInfo& run, const PainleveRod& parameters);

/// "inclination", its rate ("rate"), "rod.x", "rod.vx", with the reference values where the motion is unique;
/// velocity of the lower end ("end.vx"), gap, state and normal impulse of the contact and energy.
Signals painleve_rod_signals(const RunInfo& run, const PainleveRod& parameters);

PainleveRodReference painleve_rod_reference(const PainleveRod& parameters,
                                            StopRequest stop_request = nullptr);

RegisteredModel registered_painleve_rod();

}  // namespace picus::models
