#pragma once

/// A body of revolution that slides on a floor with one sphere of its own, under the ellipsoidal law of Coulomb and
/// Contensou: Newton's and Euler's equations with the normal force from the condition that the centre of the sphere keeps
/// its height,
///
///     m da/dt = -m g z + N (z + f),     J dOmega/dt = R^T N (r x (z + f) + m_z z) - Omega x J Omega,   r = R A - R_1 z
///     f = -mu gamma / rho,  m_z = -mu epsilon^2 omega_z / rho,  rho = |(gamma, epsilon omega_z)|,
///     z . d2(x + R A)/dt2 = 0,
///
/// gamma the slip of the contact point, A = a_1 e_3, by the method of Runge and Kutta of fourth order. No multipliers, no
/// complementarity, no increments of rotation: it shares nothing with the schemes.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

namespace picus::models {

struct TippeTopParameters {
  double mass;    ///< m, kg
  Vec3 inertia;   ///< J, kg m2
  double radius;  ///< R_1, m
  double centre;  ///< a_1, m
  double mu;
  double epsilon;  ///< m
  double gravity;  ///< m/s2
  Mat3 rotation;   ///< R at t = 0
  Vec3
      angular_velocity;  ///< Omega at t = 0, body axes, rad/s; the centre of mass is at rest but for what contact asks
  double step = 1e-5;  ///< of the method, s
};

class TippeTopReference {
 public:
  explicit TippeTopReference(const TippeTopParameters& top, StopRequest stop_request = nullptr);

  struct Motion {
    Vec3 x;  ///< of the centre of mass, m
    Vec3 v;  ///< m/s
    Mat3 R;
    Vec3 Omega;  ///< body axes, rad/s
  };
  /// At t >= 0; as HeavyTopReference::at().
  const Motion& at(double t);

  /// Angle of the axis with the vertical, rad; height of the centre of mass, m.
  double inclination(double t);
  double height(double t);

 private:
  Motion rate(const Motion& motion) const;
  Motion advance(const Motion& from, double h) const;

  TippeTopParameters top_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
