#pragma once

/// A wheel of n spokes without a rim that rolls down a slope: a pendulum upside down about the foot that stands, with an
/// inelastic impact when the next foot lands (McGeer 1990, Passive dynamic walking; Coleman 2010, Dynamics and stability of a
/// rimless spoked wheel). With theta of the standing spoke from the vertical, positive downhill, and the slope gamma,
///
///     d2theta/dt2 = k sin(theta)                                        between impacts
///     theta = gamma + pi/n  ->  gamma - pi/n,   rate -> r rate          the next foot lands, the other leaves
///     k = m g l/(J + m l^2),   r = (J + m l^2 cos(2 pi/n))/(J + m l^2)
///
/// because the angular momentum about the foot that lands stays. Uphill the same with the signs changed. Runge and Kutta of
/// fourth order in steps of 0.1 ms, which impacts divide where they fall, to rounding; k of 10 1/s2 leaves errors below 1e-11 rad
/// after 10 s. A wheel that has not the energy for the next spoke rocks on two feet, with impacts that accumulate, and rests.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

namespace picus::models {

struct RimlessWheelParameters {
  double k;            ///< 1/s2
  double kept;         ///< r
  Index spokes;        ///< n
  double slope;        ///< gamma, rad
  double angle;        ///< theta at t = 0, rad, between gamma - pi/n and gamma + pi/n
  double rate;         ///< of theta at t = 0, rad/s
  double step = 1e-4;  ///< of the method, s
};

class RimlessWheelReference {
 public:
  explicit RimlessWheelReference(const RimlessWheelParameters& wheel, StopRequest stop_request = nullptr);

  struct Motion {
    double angle;        ///< theta, rad
    double rate;         ///< rad/s
    double steps = 0.0;  ///< feet that have landed downhill, less those uphill
    bool rests = false;  ///< on two feet
  };
  /// At t >= 0; as HeavyTopReference::at(). At an impact the motion after it.
  const Motion& at(double t);

  /// The rate just before an impact of the motion that repeats itself from step to step, rad/s:
  ///     rate^2 = 4 k sin(gamma) sin(pi/n)/(1 - r^2)
  /// provided that the wheel gets over its spokes with it.
  double limit_rate() const;

 private:
  Motion advance(const Motion& from, double h) const;
  Motion advance_through_impacts(Motion motion, double h) const;
  /// The foot that the spoke passes on its way, positive before it lands; rad.
  double distance_to_impact(const Motion& motion, bool downhill) const;

  RimlessWheelParameters wheel_;
  double half_;  ///< pi/n, rad
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
