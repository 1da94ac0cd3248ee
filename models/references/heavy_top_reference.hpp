#pragma once

/// The motion of a rigid body rotating about a fixed point under gravity: Euler's equations about that point,
///
///     dR/dt = R Omega^,   J_0 dOmega/dt = m X x R^T g - Omega x J_0 Omega,   J_0 = J - m X^ X^,
///
/// with X the centre of mass in body axes, integrated by the fourth-order Runge-Kutta method with steps of 10 us. For
/// rates of 150 rad/s its error is below 1e-9 after 2 s. It shares neither unknowns nor equations with a model whose
/// centre of mass moves freely and is constrained by a joint.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

namespace picus::models {

struct HeavyTopParameters {
  double mass;            ///< m, kg
  Vec3 inertia;           ///< principal moments J about the centre of mass, body axes, kg m2
  Vec3 centre_of_mass;    ///< X, from the fixed point in body axes, m
  Vec3 gravity;           ///< g in inertial axes, m/s2
  Vec3 angular_velocity;  ///< Omega at t = 0, body axes, rad/s; R is the identity then
  double step = 1e-5;     ///< of the Runge-Kutta method, s
};

class HeavyTopReference {
 public:
  explicit HeavyTopReference(const HeavyTopParameters& top, StopRequest stop_request = nullptr);

  struct Motion {
    Mat3 R = Mat3::Identity();
    Vec3 Omega = Vec3::Zero();
  };
  /// The motion at t >= 0. Continues from the nearest earlier checkpoint, so that queries in ascending order are
  /// cheap. Throws Interrupted if a stop is requested. Not for concurrent use.
  const Motion& at(double t);

  /// Position and velocity of the centre of mass, inertial axes, m and m/s.
  Vec3 position(double t);
  Vec3 velocity(double t);
  /// The reaction of the fixed point on the body, inertial axes, N.
  Vec3 reaction(double t);

 private:
  struct Rate {
    Mat3 R;
    Vec3 Omega;
  };
  Vec3 acceleration(const Motion& motion) const;
  Rate rate(const Motion& motion) const;
  Motion advance(const Motion& from, double h) const;

  HeavyTopParameters top_;
  Mat3 J_0_;
  Mat3 J_0_inverse_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
