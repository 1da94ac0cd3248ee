#pragma once

/// A block on a spring that falls on a running belt (thesis, section 4.2.3).
///
///      y
///      |                . # block: m, a point
///      |            . '          | g
///      |        . '  k, l        v
///      |    . '
///      |. ' ) angle
///      o-------------------------------> x
///      #####################################   belt: v_0 ->, mu, e_N, e_T = 0
///
/// The block bounces until it stays on the belt and moves along with it, until the spring pulls more than friction
/// can hold. From then on it slips back and forth in a limit cycle.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>
#include <numbers>

namespace picus::models {

struct Belt {
  double mass = 3.0;                       ///< m, kg
  double stiffness = 50.0;                 ///< k, N/m
  double length = 1.0;                     ///< l, of the unloaded spring and at the start, m
  double angle = std::numbers::pi / 12.0;  ///< of the spring with the belt at the start, rad
  double speed = 1.0;                      ///< v_0, of the belt, m/s
  double mu = 1.0;                         ///< coefficient of friction
  double restitution = 0.5;                ///< e_N
  double gravity = 9.81;                   ///< g, m/s2

  /// l + mu m g / k: beyond it the spring pulls more than friction can hold, m.
  double slip_length() const { return length + mu * mass * gravity / stiffness; }
};

/// Nodes `block` (a point), `belt` (a frame that runs along x) and `anchor` at the origin, contact `contact`.
Model make_belt(const Belt& parameters = {});

/// Measures when the block stays on the belt, when it begins to slip, and its errors.
Measures belt_measures(const RunInfo& run, const Belt& parameters);

Signals belt_signals(const RunInfo& run, const Belt& parameters);

RegisteredModel registered_belt();

}  // namespace picus::models
