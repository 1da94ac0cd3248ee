#pragma once

/// Andrews' squeezer mechanism (Schiehlen 1990, Multibody systems handbook; Hairer and Wanner, Solving ordinary differential
/// equations II, section VII.7) in its one degree of freedom, the angle beta of the crank.
///
/// With e(a) = (cos a, sin a), f(a) = (sin a, -cos a) and absolute angles a_1 = beta, a_2 = beta + Theta, a_3 = gamma,
/// a_4 = Phi + delta, a_5 = delta, a_6 = Omega + epsilon, a_7 = epsilon of the bodies K_1 to K_7, the point E that four of them share is
///
///     E = rr e(a_1) - d e(a_2) = B + ss f(a_3) = A + zt e(a_5) + e f(a_4) = A + zf e(a_6) + u f(a_7)
///
/// Triangles determine all angles as functions of beta, linear equations their derivatives a' and a'' with respect to
/// beta, and
///
///     a'. M a' beta'' + a' . (M a'' + c) beta'^2 = a' . F
///
/// Fourth-order Runge-Kutta method with steps of 2 us, accurate to 1e-12 rad after 0.03 s.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

#include <Eigen/Core>

#include <array>

namespace picus::models {

/// The mechanism of the handbook; lengths in m, masses in kg, moments of inertia in kg m2.
struct Squeezer {
  std::array<double, 7> mass = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  std::array<double, 7> inertia = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  Vec3 A = {-0.06934, -0.00227, 0};
  Vec3 B = {-0.03635, 0.03273, 0};
  Vec3 C = {0.014, 0.072, 0};
  double d = 0.028, da = 0.0115;
  double e = 0.02, ea = 0.01421;
  double rr = 0.007, ra = 0.00092;
  double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
  double ta = 0.02308, tb = 0.00916;
  double u = 0.04, ua = 0.01228, ub = 0.00449;
  double zf = 0.02, zt = 0.04, fa = 0.01421;
  double stiffness = 4530.0;           ///< c_0, N/m, from D on K_3 to C
  double free_length = 0.07785;        ///< m
  double torque = 0.033;               ///< on the crank, N m
  double beta = -0.06171389001427645;  ///< initial value, at rest, rad
};

class SqueezerReference {
 public:
  explicit SqueezerReference(const Squeezer& squeezer, StopRequest stop_request = nullptr,
                             double step = 2e-6);

  using Angles = Eigen::Matrix<double, 7, 1>;

  struct Motion {
    double beta;
    double rate;  ///< rad/s
  };
  /// The motion at t >= 0; see HeavyTopReference::at().
  const Motion& at(double t);
  /// a_1 to a_7 as functions of beta, rad; all but the first modulo a full turn.
  Angles angles(double beta) const;

 private:
  struct Derivatives {
    Angles d, dd;
  };
  Derivatives derivatives(const Angles& a) const;
  Motion advance(const Motion& from, double h) const;
  double acceleration(const Motion& at) const;

  Squeezer p_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
