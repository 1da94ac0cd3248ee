#pragma once

#include <numbers>

namespace picus::models {

/// Parameters of the model of the belt (models/belt.hpp) and of its exact motion; the values are those of the thesis,
/// section 4.2.3.
struct Belt {
  double mass = 3.0;                       ///< m, kg
  double stiffness = 50.0;                 ///< k, N/m
  double length = 1.0;                     ///< l, free length and initial length of the spring, m
  double angle = std::numbers::pi / 12.0;  ///< initial angle between spring and belt, rad
  double speed = 1.0;                      ///< v_0, of the belt, m/s
  double mu = 1.0;                         ///< coefficient of friction
  double restitution = 0.5;                ///< e_N
  double gravity = 9.81;                   ///< g, m/s2

  /// l + mu m g / k: beyond it the spring force exceeds the friction limit, m.
  double slip_length() const { return length + mu * mass * gravity / stiffness; }
};

}  // namespace picus::models
