#pragma once

/// A shaft that is twisted until its elements can follow no longer.
///
///     clamped                              motor, or moment T
///      #|=======o=======o=======o=======|)     1 m, n beam elements; GJ = 2 N m2
///       n0                              n[n]
///
/// A beam element is defined up to half a turn of its ends against each other and ends a run at 3 rad: past half a turn
/// it would be bent the shorter way round. In equilibrium the twist is T L/GJ.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct TwistedShaft {
  enum class Load : std::uint8_t { motor, moment };

  Index elements = 2;       ///< n
  Load load = Load::motor;  ///< what turns the free end
  double speed = 1.0;       ///< of the motor, rad/s
  double torque = 5.8;      ///< T, N m

  static constexpr double length = 1.0;               ///< L, m
  static constexpr double torsional_stiffness = 2.0;  ///< GJ, N m2
  double static_twist() const { return torque * length / torsional_stiffness; }
};

/// Nodes `n0` (clamped) to `n[n]`, elements `shaft[0]` on.
Model make_twisted_shaft(const TwistedShaft& parameters = {});

/// Twist at the end.
Measures twisted_shaft_measures(const RunInfo& run, const TwistedShaft& parameters);

/// Twist of the whole shaft ("twist"), with the exact value where a motor turns it or in equilibrium, and of the
/// element that is twisted most ("element"), energy.
Signals twisted_shaft_signals(const RunInfo& run, const TwistedShaft& parameters);

RegisteredModel registered_twisted_shaft();

}  // namespace picus::models
