#pragma once

/// A rigid pendulum that falls from the horizontal and bounces off a wall (Chen and others 2013, section 5.5).
///
///      y
///      |         wall: e, no friction, free on the side of larger x
///      |          |:
///      +----------|:--O---> x     start: at rest, tip at (l, 0)
///      |\   l     |:
///      | \        |:
///      |phi\      |:              | g
///      |    O tip |: m, J         v
///                 sqrt(2)/2
///
/// The rod is massless; the tip has a mass m and a moment of inertia J about itself, and rotates with the rod. As in
/// the paper the tip is a body with coordinates (x, y, angle), constrained to the pivot by two equations:
///
///     x - l cos(theta) = 0,   y + l sin(theta) = 0,   theta clockwise from the horizontal

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>
#include <numbers>

namespace picus::models {

struct RigidPendulum {
  double mass = 1.0;                        ///< m, kg
  double inertia = 0.1;                     ///< J, kg m2
  double length = 1.0;                      ///< l, m
  double gravity = 10.0;                    ///< g, m/s2
  double wall = std::numbers::sqrt2 / 2.0;  ///< x of the wall, m
  double restitution = 0.8;                 ///< e
};

/// Node `tip` (a frame, planar), hinge `pivot`, contact `wall`. Throws ModelError unless the wall is closer than l.
Model make_rigid_pendulum(const RigidPendulum& parameters = {});

/// Measures the errors of the tip and the first impact.
Measures rigid_pendulum_measures(const RunInfo& run, const RigidPendulum& parameters);

Signals rigid_pendulum_signals(const RunInfo& run, const RigidPendulum& parameters);

RegisteredModel registered_rigid_pendulum();

}  // namespace picus::models
