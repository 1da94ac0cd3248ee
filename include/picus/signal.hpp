#pragma once

/// Signals: named scalar quantities of a model over time, with their exact values where these are known. Convergence
/// studies, figures and benchmarks access a model through its signals.

#include <picus/recorder.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

struct Signal {
  std::string name;     ///< "tip.x", "wall.gap"; without blanks, as typed after --quantity
  std::string unit;     ///< empty for a pure number
  std::string meaning;  ///< a short description
  std::function<double(const Snapshot&)> value;  ///< value at an instant
  std::function<double(double t)> exact = {};    ///< exact solution; empty where none is known

  /// The same signal with its exact solution.
  Signal against(std::function<double(double t)> solution) const;
  /// The same signal under another name.
  Signal named(std::string other) const;
};

/// All signals of a model.
using Signals = std::vector<Signal>;

/// Signals by name, of a node, a contact or the whole model.
namespace signals {

/// An axis of the inertial or a body-fixed frame.
enum class Axis : std::uint8_t {
  x,  ///< the first
  y,  ///< the second
  z,  ///< the third
};

// Signals of a node, "NODE.x", "NODE.vx", "NODE.angle", "NODE.wx", "NODE.value", "NODE.rate". Each throws
// ModelError when the model has no such node, or one of another kind.

/// Position along an inertial axis, m.
Signal position(const RunInfo& run, std::string_view node, Axis axis);
/// Velocity along an inertial axis, m/s.
Signal velocity(const RunInfo& run, std::string_view node, Axis axis);
/// Angle in [-pi, pi] of a frame that rotates about the inertial z axis, rad.
Signal planar_angle(const RunInfo& run, std::string_view node);
/// Component of the rotation vector log R of a frame, "NODE.rotation_x", rad.
Signal rotation(const RunInfo& run, std::string_view node, Axis axis);
/// Angular velocity of a frame in its own axes, rad/s.
Signal angular_velocity(const RunInfo& run, std::string_view node, Axis axis);
/// Value of a scalar node; `unit` is that of the value.
Signal scalar_value(const RunInfo& run, std::string_view node, const std::string& unit);
/// Rate of a scalar node; `unit` is that of its value.
Signal scalar_rate(const RunInfo& run, std::string_view node, const std::string& unit);

// Signals of a contact, "CONTACT.gap", "CONTACT.gap_rate", "CONTACT.force", ... Each throws ModelError when the
// model has no such contact.

/// Normal gap, m.
Signal gap(const RunInfo& run, std::string_view contact);
/// Rate of the normal gap at the end of the step, m/s.
Signal gap_rate(const RunInfo& run, std::string_view contact);
/// Normal impulse of the step, N s.
Signal normal_impulse(const RunInfo& run, std::string_view contact);
/// Normal impulse of the step divided by h, N.
Signal normal_force(const RunInfo& run, std::string_view contact);
/// Friction impulse of the step along direction 0 or 1, N s: "CONTACT.friction_impulse", or with "_1" for the second
/// direction.
Signal friction_impulse(const RunInfo& run, std::string_view contact, Index direction = 0);
/// The friction impulse divided by h, N: "CONTACT.friction".
Signal friction_force(const RunInfo& run, std::string_view contact, Index direction = 0);
/// Tangential displacement accumulated while closed, m: "CONTACT.slip".
Signal slip(const RunInfo& run, std::string_view contact, Index direction = 0);
/// Tangential velocity, m/s: "CONTACT.slip_rate".
Signal slip_rate(const RunInfo& run, std::string_view contact, Index direction = 0);
/// 0 gap, 1 stick, 2 slip: "CONTACT.state".
Signal contact_state(const RunInfo& run, std::string_view contact);

// Signals of the whole model.

/// Sum of kinetic and potential energy, J: "energy".
Signal energy(const RunInfo& run);
/// Kinetic energy, J: "kinetic".
Signal kinetic_energy(const RunInfo& run);
/// Potential energy, J: "potential".
Signal potential_energy(const RunInfo& run);
/// Largest |g| of all bilateral rows, m or rad: "violation".
Signal violation(const RunInfo& run);
/// The same for one joint or link, "CONSTRAINT.violation". Throws ModelError if the model has none of that name.
Signal violation(const RunInfo& run, std::string_view constraint);

}  // namespace signals
}  // namespace picus
