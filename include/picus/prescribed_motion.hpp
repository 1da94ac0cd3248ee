#pragma once

/// A motion that the user gives to a component of a node: a belt, a motor, a shaker.

#include <functional>

namespace picus {

/// Functions of time in seconds. `displacement` is measured from the node's initial configuration (metres
/// along an inertial axis, radians about a body axis, or the units of a scalar node) and must be zero at the
/// start of a run or is taken relative to its value there. `rate` is its time derivative. No function is asked for times
/// before the start: a motion that begins with a jump of the rate or of the acceleration has the values after it there.
struct PrescribedMotion {
  std::function<double(double)> displacement;  ///< m or rad, of the time in s
  std::function<double(double)> rate;          ///< m/s or rad/s
  /// Second derivative; left empty, it is the difference of the rate at the begin, middle and end of a step, which is
  /// of second order at the end.
  std::function<double(double)> acceleration;

  /// displacement = speed t.
  static PrescribedMotion constant_speed(double speed);
};

}  // namespace picus
