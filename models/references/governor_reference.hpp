#pragma once

/// A flyball governor whose coupler rods are springs and dampers: shaft, slider and two arms with balls, which move
/// alike. With the angle theta of the arms below the horizontal, the height s of the slider and the angular momentum
/// L about the shaft, which is conserved,
///
///     M theta'' = -dV/dtheta - 2 N dl/dtheta + 1/2 Omega^2 dI/dtheta,   m_s s'' = -m_s g - 2 N dl/ds,   Omega = L/I(theta)
///     N = K (l - l_0) + C dl/dt,    l: from the middle of an arm to the side of the slider
///
/// Fourth-order Runge-Kutta method with steps of 10 us: the motion damped by C decays within 40 us.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

namespace picus::models {

struct GovernorParameters {
  double arm_mass;       ///< of the rod alone, kg
  double arm_length;     ///< m
  double arm_width;      ///< of its square cross section, m
  double ball_mass;      ///< at the end of an arm, kg
  double slider_mass;    ///< kg
  double fixed_inertia;  ///< of shaft and slider about the shaft, kg m2
  double half_width;     ///< from the shaft to the hinge of an arm and to the side of the slider, m
  double height;         ///< of the hinges, m
  double stiffness;      ///< K, N/m
  double damping;        ///< C, N s/m
  double free_length;    ///< l_0, m
  double gravity;        ///< m/s2
  double angle;          ///< initial theta, rad
  double slider;         ///< initial s, m
  double speed;          ///< initial Omega, rad/s; everything else is at rest
  double step = 1e-5;    ///< of the Runge-Kutta method, s
};

class GovernorReference {
 public:
  explicit GovernorReference(const GovernorParameters& governor, StopRequest stop_request = nullptr);

  struct Motion {
    double angle, slider;            ///< theta, s
    double angle_rate, slider_rate;  ///< rad/s, m/s
  };
  /// The motion at t >= 0; see HeavyTopReference::at().
  const Motion& at(double t);
  /// Omega at t, rad/s.
  double speed(double t);

 private:
  /// Moment of inertia about the shaft, kg m2, and its derivative with respect to theta.
  struct Inertia {
    double value, slope;
  };
  Inertia inertia(double theta) const;
  Motion rate(const Motion& at) const;
  Motion advance(const Motion& from, double h) const;

  GovernorParameters governor_;
  double first_, second_;  ///< first and second mass moments of an arm along its axis, kg m and kg m2
  double across_;          ///< second mass moment across it, kg m2
  double momentum_;        ///< L, kg m2/s
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
