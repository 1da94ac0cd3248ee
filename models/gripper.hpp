#pragma once

/// Two elastic fingers grip a crate from both sides and lift it by friction.
///
///            |  |      |  |     fingers: slabs of solid elements; their upper ends are pressed inwards by N and lifted
///        N ->|  |      |  |<- N
///            |  +------+  |
///            |  |      |  |
///            |__| crate|__|     crate: rigid, mass m
///               |      |
///      ---------+------+------
///
/// N rises from 0 to its value during `squeeze`; then the upper ends are accelerated to a, which is reached during
/// `jerk`. The pads, the lower halves of the fingers, touch the crate with their nodes: the normals are those of its
/// sides, however the fingers bend, and it is held if and only if 2 mu N >= m (g + a). The motion is in the x-z
/// plane.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct Gripper {
  double mass = 1.0;           ///< m, kg
  double size = 0.1;           ///< edge length of the crate, m
  double mu = 0.5;             ///< between fingers and crate
  double force = 16.0;         ///< N per finger, N
  double acceleration = 5.0;   ///< a, m/s2
  double gravity = 9.81;       ///< g, m/s2
  double squeeze = 0.1;        ///< s
  double jerk = 0.1;           ///< s
  double modulus = 5e8;        ///< Young's modulus of the fingers, N/m2
  double thickness = 0.01;     ///< of the fingers, m
  double damping_time = 5e-4;  ///< of the fingers, s
  Index cells = 8;             ///< along a finger, even
};

/// Node `crate`; solids `left` and `right`; surfaces `crate`, `left pad`, `right pad` and `floor`.
Model make_gripper(const Gripper& parameters = {});

/// Measures how far the crate has slid down between the fingers, and whether it should.
Measures gripper_measures(const RunInfo& run, const Gripper& parameters);

/// "slide" of the crate down along the fingers, "height" of the crate, "lift" of the upper ends, and energy.
Signals gripper_signals(const RunInfo& run, const Gripper& parameters);

/// The minimum N that holds the crate, N.
double gripper_least_force(const Gripper& parameters);

RegisteredModel registered_gripper();

}  // namespace picus::models
