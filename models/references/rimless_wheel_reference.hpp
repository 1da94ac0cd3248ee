#pragma once

/// A rimless wheel of n spokes that rolls down a slope: an inverted pendulum about the stance foot, with an inelastic
/// impact when the next foot lands (McGeer 1990, Passive dynamic walking; Coleman 2010, Dynamics and stability of a
/// rimless spoked wheel). With theta of the stance spoke from the vertical, positive downhill, and the slope gamma,
///
///     d2theta/dt2 = k sin(theta)                                        between impacts
///     theta = gamma + pi/n  ->  gamma - pi/n,   rate -> r rate          the next foot lands, the other lifts off
///     k = m g l/(J + m l^2),   r = (J + m l^2 cos(2 pi/n))/(J + m l^2)
///
/// because the angular momentum about the landing foot is conserved. Uphill the same holds with opposite signs.
/// Fourth-order Runge-Kutta method with steps of 0.1 ms, divided at impacts, which are located to rounding; for
/// k = 10 1/s2 errors are below 1e-11 rad after 10 s. A wheel with too little energy for the next spoke rocks on two
/// feet, with impacts that accumulate, and comes to rest.

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
  double step = 1e-4;  ///< of the Runge-Kutta method, s
};

class RimlessWheelReference {
 public:
  explicit RimlessWheelReference(const RimlessWheelParameters& wheel, StopRequest stop_request = nullptr);

  struct Motion {
    double angle;        ///< theta, rad
    double rate;         ///< rad/s
    double steps = 0.0;  ///< number of feet landed downhill minus those uphill
    bool rests = false;  ///< whether it rests on two feet
  };
  /// The motion at t >= 0, at an impact that after it; see HeavyTopReference::at().
  const Motion& at(double t);

  /// The rate just before the impacts of the periodic motion, rad/s:
  ///     rate^2 = 4 k sin(gamma) sin(pi/n)/(1 - r^2)
  /// provided that the wheel passes over its spokes at this rate.
  double limit_rate() const;

 private:
  Motion advance(const Motion& from, double h) const;
  Motion advance_through_impacts(Motion motion, double h) const;
  /// Distance of the angle from the next impact in this direction, positive before the foot lands; rad.
  double distance_to_impact(const Motion& motion, bool downhill) const;

  RimlessWheelParameters wheel_;
  double half_;  ///< pi/n, rad
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
