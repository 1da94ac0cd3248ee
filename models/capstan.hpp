#pragma once

/// A rope that is pulled over a drum, in the x-y plane.
///
///            .-----.
///           /  R    \      drum: fixed, radius R, axis along z, mu
///          |    o    |     rope: beam elements with round sections of radius rho
///          |  theta  |
///          |         |
///          v T_1     v speed, T_2
///
/// T_1 is prescribed and rises to its value during `ramp`, the other end is driven. Once all of the rope slides,
/// T_2/T_1 = exp(lambda theta) (references/capstan_exact.hpp). The contacts are detected: each element of the rope
/// that touches the drum has one.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <numbers>

namespace picus::models {

struct Capstan {
  Index elements = 32;              ///< of the rope on the drum
  double wrap = std::numbers::pi;   ///< theta, rad
  double drum_radius = 0.1;         ///< R, m
  double rope_radius = 5e-4;        ///< rho, m
  double span = 0.05;               ///< length of the rope on either side, m
  double mu = 0.3;                  ///< coefficient of friction
  double tension = 10.0;            ///< T_1, N
  double speed = 0.03;              ///< of the driven end, m/s
  double ramp = 0.1;                ///< time in which tension and speed rise, s
  double stiffness = 1e3;           ///< EA, N
  double bending_stiffness = 1e-4;  ///< EI, N m2; the rope is unstressed in its position on the drum
  double mass_per_length = 0.1;     ///< kg/m
  double relaxation_time = 1e-2;    ///< of the material of the rope, s
};

/// Nodes `rope[0]`, where T_1 acts, to `rope[n]`, which is driven; surfaces `rope surface` and `drum`, contact set
/// `grip`.
Model make_capstan(const Capstan& parameters = {});

/// Measures T_2/T_1 at the end, and the number of contacts that stick then.
Measures capstan_measures(const RunInfo& run, const Capstan& parameters);

/// "tension" T_2 and "ratio" T_2/T_1, "sticking" and "sliding" (numbers of contacts), and energy.
Signals capstan_signals(const RunInfo& run, const Capstan& parameters);

RegisteredModel registered_capstan();

}  // namespace picus::models
