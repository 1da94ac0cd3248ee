#pragma once

/// A motion prescribed for a component of a node: a belt, a motor, a shaker.

#include <functional>
#include <vector>

namespace picus {

/// Functions of time in seconds. `displacement` is measured from the node's initial configuration (metres along an
/// inertial axis, radians about a body axis, or the units of a scalar node), relative to its value at the start of the
/// run. `rate` is its time derivative. The functions are never called for times before the start: where a motion begins
/// with a jump of the rate or of the acceleration, they give the values after the jump.
struct PrescribedMotion {
  std::function<double(double)> displacement;  ///< m or rad
  std::function<double(double)> rate;          ///< m/s or rad/s
  /// Second derivative, m/s2 or rad/s2; if empty, a finite difference of the rates at the beginning, middle and end of
  /// a step is used, which is of second order at the end.
  std::function<double(double)> acceleration;

  /// displacement = speed t.
  static PrescribedMotion constant_speed(double speed);
  /// From rest to rest: from 0 to `distance` between the times `begin` and `begin + duration`, by the polynomial of fifth
  /// degree whose rate and acceleration are zero at both ends. Throws ModelError unless duration > 0.
  static PrescribedMotion smooth_step(double distance, double duration, double begin = 0.0);
  /// From rest to a constant speed, reached at the time `duration` with a continuous acceleration that is zero at both
  /// ends. Throws ModelError unless duration > 0.
  static PrescribedMotion smooth_start(double speed, double duration);
  /// Through measured or designed points: a cubic spline with continuous acceleration, at rest before the first and after
  /// the last time. Throws ModelError unless there are as many displacements as times, two at least, and the times ascend.
  static PrescribedMotion table(const std::vector<double>& times, const std::vector<double>& displacements);
};

}  // namespace picus
