#pragma once

/// The motion of a rigid body that turns about a fixed point under gravity: Euler's equations about that point,
///
///     dR/dt = R Omega^,   J_0 dOmega/dt = m X x R^T g - Omega x J_0 Omega,   J_0 = J - m X^ X^,
///
/// X the centre of mass in body axes, by the method of Runge and Kutta of fourth order in steps of 10 us. With rates of
/// 150 rad/s its error is below 1e-9 after 2 s. It shares neither unknowns nor equations with a model whose centre of
/// mass moves freely and is held by a joint.

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
  double step = 1e-5;     ///< of the method, s
};

class HeavyTopReference {
 public:
  explicit HeavyTopReference(const HeavyTopParameters& top, StopRequest stop_request = nullptr);

  struct Motion {
    Mat3 R = Mat3::Identity();
    Vec3 Omega = Vec3::Zero();
  };
  /// At t >= 0. Goes on from the nearest instant before that it remembers, so that instants in ascending order cost
  /// little. Throws Interrupted when a stop is requested. Not for two threads at once.
  const Motion& at(double t);

  /// Of the centre of mass, inertial axes: m, m/s.
  Vec3 position(double t);
  Vec3 velocity(double t);
  /// What the fixed point pushes on the body with, inertial axes, N.
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
