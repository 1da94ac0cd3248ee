#pragma once

#include <numbers>

namespace picus::models {

/// What the model of the belt (models/belt.hpp) and its exact motion depend on; the values are those of the thesis,
/// section 4.2.3.
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

}  // namespace picus::models
