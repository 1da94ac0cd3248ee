#pragma once

/// Bricard's mechanism of six equal links with hinges at right angles (the closed chain of rods along edges of a cube), in its
/// one degree of freedom. Turns psi of one link against the one before, odd and even hinges alike, keep the chain closed where
///
///     (1 + cos psi_1) (1 + cos psi_2) = 1
///
/// (threefold-symmetric linkage, Chen, You and Tarnai 2005). A parameter u goes round this curve without a singular point,
///
///     cos(psi_1/2) = 2^(-w_1^2), w_1 = sin(pi/4 - u/2);   cos(psi_2/2) = 2^(-w_2^2), w_2 = sin(pi/4 + u/2)
///
/// with u = 0 on the cube. With the derivatives X_u and X_uu of all points along it, mass for mass,
///
///     int |X_u|^2 dm d2u/dt2 + int X_u . X_uu dm (du/dt)^2 + dV/du = 0
///
/// by the method of Runge and Kutta of fourth order in steps of 0.2 ms. No constraints, none of them redundant.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

#include <array>

namespace picus::models {

struct BricardParameters {
  double length;       ///< of a rod, m
  double width;        ///< of its square section, m
  double mass;         ///< of a rod, kg
  double gravity;      ///< along -y, m/s2
  double step = 2e-4;  ///< of the method, s
};

class BricardReference {
 public:
  explicit BricardReference(const BricardParameters& bricard, StopRequest stop_request = nullptr);

  /// Corner i of the cube at the start, where hinge i is; rod i goes to corner i + 1, and the ground from 5 to 0.
  static Vec3 start_of(Index corner);

  struct Motion {
    double u;
    double rate;  ///< 1/s
  };
  /// At t >= 0, from rest; as HeavyTopReference::at().
  const Motion& at(double t);

  /// Places of the corners, m.
  std::array<Vec3, 6> corners(double t);
  /// Kinetic and potential energy, J.
  double energy(double t);

 private:
  /// A direction with its derivatives along u.
  struct Arm {
    Vec3 a, d, dd;
  };
  struct Rod {
    Arm centre;               ///< m
    std::array<Arm, 3> axes;  ///< along the rod and across
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
