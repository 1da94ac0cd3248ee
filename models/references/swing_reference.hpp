#pragma once

/// The swing of a pendulum, or of any system with one angle phi and the same equation: phi from the horizontal,
/// positive upwards,
///
///     d2phi/dt2 = -k cos(phi)
///
/// by the fourth-order Runge-Kutta method with steps of 0.1 ms; for k = 10 to 20 1/s2 its error is below 1e-11 rad
/// after 10 s.

#include <picus/models/references/stepped_motion.hpp>

namespace picus::models {

struct SwingParameters {
  double k;            ///< 1/s2
  double angle;        ///< at t = 0, rad
  double rate;         ///< at t = 0, rad/s
  double step = 1e-4;  ///< of the Runge-Kutta method, s
};

class SwingReference {
 public:
  explicit SwingReference(const SwingParameters& swing, StopRequest stop_request = nullptr);

  struct Motion {
    double angle;  ///< rad
    double rate;   ///< rad/s
  };
  /// The motion at t >= 0; see HeavyTopReference::at().
  const Motion& at(double t);

 private:
  Motion advance(const Motion& from, double h) const;

  SwingParameters swing_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
