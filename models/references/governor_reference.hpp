#pragma once

/// A flyball governor with coupler rods of spring and damper: shaft, slider and two arms with balls, which move alike. With the
/// angle theta of the arms below the horizontal, the height s of the slider and the angular momentum L about the shaft, which
/// stays,
///
///     M theta'' = -dV/dtheta - 2 N dl/dtheta + 1/2 Omega^2 dI/dtheta,   m_s s'' = -m_s g - 2 N dl/ds,   Omega = L/I(theta)
///     N = K (l - l_0) + C dl/dt,    l: from the middle of an arm to the side of the slider
///
/// Runge and Kutta of fourth order in steps of 10 us: what C damps decays within 40 us.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

namespace picus::models {

struct GovernorParameters {
  double arm_mass;       ///< of the rod alone, kg
  double arm_length;     ///< m
  double arm_width;      ///< of its square section, m
  double ball_mass;      ///< at the end of an arm, kg
  double slider_mass;    ///< kg
  double fixed_inertia;  ///< of shaft and slider about the shaft, kg m2
  double half_width;     ///< from the shaft to the hinge of an arm and to the side of the slider, m
  double height;         ///< of the hinges, m
  double stiffness;      ///< K, N/m
  double damping;        ///< C, N s/m
  double free_length;    ///< l_0, m
  double gravity;        ///< m/s2
  double angle;          ///< theta at the start, rad
  double slider;         ///< s at the start, m
  double speed;          ///< Omega at the start, rad/s; all else is at rest
  double step = 1e-5;    ///< of the method, s
};

class GovernorReference {
 public:
  explicit GovernorReference(const GovernorParameters& governor, StopRequest stop_request = nullptr);

  struct Motion {
    double angle, slider;            ///< theta, s
    double angle_rate, slider_rate;  ///< rad/s, m/s
  };
  /// At t >= 0; as HeavyTopReference::at().
  const Motion& at(double t);
  /// Omega, rad/s.
  double speed(double t);

 private:
  /// About the shaft, kg m2, and its derivative by theta.
  struct Inertia {
    double value, slope;
  };
  Inertia inertia(double theta) const;
  Motion rate(const Motion& at) const;
  Motion advance(const Motion& from, double h) const;

  GovernorParameters governor_;
  double first_, second_;  ///< moments of mass of an arm along it, kg m and kg m2
  double across_;          ///< across it, kg m2
  double momentum_;        ///< L, kg m2/s
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
