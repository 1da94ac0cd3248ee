#pragma once

/// A point mass that slides on a moving face under Coulomb's law until the contact opens: the equation with explicit
/// contact forces,
///
///     a = f + N n - mu N u/|u|,   u = (I - n n^T) (v - v_f(t, x))
///     n . a = b(t, x, v)          while the contact is closed
///     N = 0                       from the instant on at which N would become negative
///
/// per unit of mass, with the normal n, the velocity v_f of the face and the normal acceleration b that it requires.
/// Fourth-order Runge-Kutta method with steps of 0.1 ms, divided at the instant of lift-off, which is located to
/// rounding. The point does not come back to the face, nor does it stick: where the slip stops, friction alternates from
/// step to step.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

#include <functional>

namespace picus::models {

class SlidingPointReference {
 public:
  struct Face {
    std::function<Vec3(double t, const Vec3& x)> normal;
    std::function<Vec3(double t, const Vec3& x)> velocity;                              ///< v_f, m/s
    std::function<double(double t, const Vec3& x, const Vec3& v)> normal_acceleration;  ///< b, m/s2
  };
  struct Motion {
    Vec3 x;  ///< m
    Vec3 v;  ///< m/s
    double t = 0.0;
    bool is_open = false;
  };
  struct Parameters {
    Vec3 load;  ///< f, m/s2
    double mu;
    Face face;
    Motion start;
    double step = 1e-4;  ///< of the Runge-Kutta method, s
  };
  explicit SlidingPointReference(const Parameters& parameters, StopRequest stop_request = nullptr);

  /// The motion at t >= 0; see HeavyTopReference::at().
  const Motion& at(double t);
  /// N per unit of mass at t, m/s2.
  double normal_force(double t);

 private:
  double closed_force(const Motion& at) const;
  Vec3 acceleration(const Motion& at) const;
  Motion advance_smoothly(const Motion& from, double h) const;
  Motion advance(const Motion& from, double h) const;

  Parameters p_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
