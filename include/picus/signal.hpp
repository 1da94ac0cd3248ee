#pragma once

/// What is watched of a model over time: named numbers of each instant of a run, with their exact values where
/// these are known. Convergence studies, figures and benchmarks speak of a model through its signals.

#include <picus/recorder.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

struct Signal {
  std::string name;     ///< "tip.x", "wall.gap"; without blanks, as it is typed after --quantity
  std::string unit;     ///< of its values; empty for a pure number
  std::string meaning;  ///< a few words
  std::function<double(const Snapshot&)> value;  ///< at an instant
  std::function<double(double t)> exact = {};    ///< empty where no exact solution is known

  /// The same signal with its exact solution.
  Signal against(std::function<double(double t)> solution) const;
  /// The same signal under another name.
  Signal named(std::string other) const;
};

/// All of a model.
using Signals = std::vector<Signal>;

/// Signals by name, of a node, a contact or the whole model.
namespace signals {

/// Of the inertial frame, or of a body's own.
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
/// Angle in [-pi, pi] of a frame that turns about the inertial z axis, rad.
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
/// Rate of the normal gap after impact, m/s.
Signal gap_rate(const RunInfo& run, std::string_view contact);
/// Normal impulse of the step, N s.
Signal normal_impulse(const RunInfo& run, std::string_view contact);
/// Normal impulse of the step over h, N.
Signal normal_force(const RunInfo& run, std::string_view contact);
/// The same along friction direction 0 or 1: "CONTACT.friction_impulse", "CONTACT.friction", or with "_1" for
/// the second direction.
Signal friction_impulse(const RunInfo& run, std::string_view contact, Index direction = 0);
/// The friction impulse over h, N.
Signal friction_force(const RunInfo& run, std::string_view contact, Index direction = 0);
/// Tangential motion gathered while closed, m, and its present rate, m/s: "CONTACT.slip", "CONTACT.slip_rate".
Signal slip(const RunInfo& run, std::string_view contact, Index direction = 0);
/// Tangential velocity, m/s.
Signal slip_rate(const RunInfo& run, std::string_view contact, Index direction = 0);
/// 0 gap, 1 stick, 2 slip: "CONTACT.state".
Signal contact_state(const RunInfo& run, std::string_view contact);

// Of the whole model.

/// Kinetic and potential energy, J: "energy", "kinetic", "potential".
Signal energy(const RunInfo& run);
/// Kinetic energy, J.
Signal kinetic_energy(const RunInfo& run);
/// Potential energy, J.
Signal potential_energy(const RunInfo& run);
/// Largest |g| of all bilateral rows, m or rad: "violation".
Signal violation(const RunInfo& run);
/// The same of one joint or link, "CONSTRAINT.violation". Throws ModelError when the model has none of that name.
Signal violation(const RunInfo& run, std::string_view constraint);

}  // namespace signals
}  // namespace picus
