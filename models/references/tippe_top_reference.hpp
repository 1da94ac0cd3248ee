#pragma once

/// A body of revolution in contact with a floor through a sphere, under the ellipsoidal Coulomb-Contensou law: the
/// Newton-Euler equations with the normal force from the condition that the height of the sphere centre is constant,
///
///     m da/dt = -m g z + N (z + f),     J dOmega/dt = R^T N (r x (z + f) + m_z z) - Omega x J Omega,   r = R A - R_1 z
///     f = -mu gamma / rho,  m_z = -mu epsilon^2 omega_z / rho,  rho = |(gamma, epsilon omega_z)|,
///     z . d2(x + R A)/dt2 = 0,
///
/// with gamma the slip of the contact point, A = a_1 e_3, integrated by the fourth-order Runge-Kutta method. No
/// multipliers, no complementarity, no rotation increments: it shares nothing with the schemes.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

namespace picus::models {

struct TippeTopParameters {
  double mass;    ///< m, kg
  Vec3 inertia;   ///< J, kg m2
  double radius;  ///< R_1, m
  double centre;  ///< a_1, m
  double mu;
  double epsilon;         ///< m
  double gravity;         ///< m/s2
  Mat3 rotation;          ///< R at t = 0
  Vec3 angular_velocity;  ///< Omega at t = 0, body axes, rad/s; the centre of mass rests, contact permitting
  double step = 1e-5;     ///< of the Runge-Kutta method, s
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
  /// The motion at t >= 0; see HeavyTopReference::at().
  const Motion& at(double t);

  /// Angle between axis and vertical, rad; height of the centre of mass, m.
  double inclination(double t);
  double height(double t);

 private:
  Motion rate(const Motion& at) const;
  Motion advance(const Motion& from, double h) const;

  TippeTopParameters top_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
