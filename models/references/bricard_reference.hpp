#pragma once

/// Bricard's mechanism of six equal links with hinges at right angles (the closed chain of rods along edges of a
/// cube), in its single degree of freedom. With the angles psi_1 of the odd and psi_2 of the even hinges, the chain
/// is closed if
///
///     (1 + cos psi_1) (1 + cos psi_2) = 1
///
/// (threefold-symmetric linkage, Chen, You and Tarnai 2005). A parameter u runs around this curve without a singular
/// point,
///
///     cos(psi_1/2) = 2^(-w_1^2), w_1 = sin(pi/4 - u/2);   cos(psi_2/2) = 2^(-w_2^2), w_2 = sin(pi/4 + u/2)
///
/// with u = 0 at the cube. With the derivatives X_u and X_uu of all material points with respect to u, and the mass
/// dm,
///
///     int |X_u|^2 dm d2u/dt2 + int X_u . X_uu dm (du/dt)^2 + dV/du = 0
///
/// integrated by the fourth-order Runge-Kutta method with steps of 0.2 ms. There are no constraints, and so none are
/// redundant.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

#include <array>

namespace picus::models {

struct BricardParameters {
  double length;       ///< of a rod, m
  double width;        ///< of its square section, m
  double mass;         ///< of a rod, kg
  double gravity;      ///< along -y, m/s2
  double step = 2e-4;  ///< of the Runge-Kutta method, s
};

class BricardReference {
 public:
  explicit BricardReference(const BricardParameters& bricard, StopRequest stop_request = nullptr);

  /// Corner i of the cube at the start, the position of hinge i; rod i goes to corner i + 1, and the ground from 5 to
  /// 0.
  static Vec3 start_of(Index corner);

  struct Motion {
    double u;
    double rate;  ///< 1/s
  };
  /// The motion at t >= 0, from rest; see HeavyTopReference::at().
  const Motion& at(double t);

  /// Positions of the corners, m.
  std::array<Vec3, 6> corners(double t);
  /// Kinetic and potential energy, J.
  double energy(double t);

 private:
  /// A direction with its derivatives with respect to u.
  struct Arm {
    Vec3 a, d, dd;
  };
  struct Rod {
    Arm centre;               ///< m
    std::array<Arm, 3> axes;  ///< along the rod and normal to it
  };
  struct Equation {
    double inertia, bias, slope;  ///< int |X_u|^2 dm, int X_u . X_uu dm, dV/du
    double potential;
  };
  std::array<Rod, 6> rods(double u) const;
  Equation equation(double u) const;
  Motion advance(const Motion& from, double h) const;

  BricardParameters bricard_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
