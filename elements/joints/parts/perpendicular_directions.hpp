#pragma once

/// One equation: a direction a of A keeps its angle to a direction b of B, by default a right angle.
///
///     g   = a . beta - cosine,   beta = P b          in the axes of A
///     G v = n . (Omega_A - P Omega_B),               n = a x beta
///     d(G v) = n' . (dTheta_A - P dTheta_B),
///         n' = (Omega_A x a) x beta + a x (P Omega_B x beta), the rate of n seen from the inertial frame
///     d(G^T lambda): lambda a^ beta^ in JointStiffness
///
/// The gradient vanishes where a and b are parallel, so the angle must not be 0 or pi. The equations do not
/// distinguish a direction from its opposite: the two that keep an axis aligned also hold with the axis reversed
/// (rotated by pi), and the three of lock_rotation() hold for a few other orientations, all of them at least 2 pi/3
/// away. No motion leads from one solution to another, since they are isolated.

#include <picus/elements/joints/parts/joint_stiffness.hpp>

namespace picus {

struct PerpendicularDirections {
  static constexpr Index row_count = 1;

  Vec3 a = Vec3::UnitX();  ///< unit vector in the axes of A
  Vec3 b = Vec3::UnitY();  ///< unit vector in the axes of B
  double cosine = 0.0;     ///< of the angle between them

  void residual(const JointKinematics& at, std::span<double> g) const { g[0] = a.dot(at.P * b) - cosine; }

  void gradient(const JointKinematics& at, Index row, JointMatrix& G) const {
    add_rotation_row(at, a.cross(at.P * b), row, G);
  }

  void add_geometric_stiffness(const JointKinematics& at, std::span<const double> lambda,
                               JointStiffness& K) const {
    K.add_directions(a, at.P * b, lambda[0]);
  }

  void rate_jacobian(const JointKinematics& at, JointVelocity v, Index row, JointMatrix& H) const {
    const Vec3 a_rate = at.A.angular_velocity(v).cross(a);
    const Vec3 beta_rate = at.P * at.B.angular_velocity(v).cross(b);
    add_rotation_row(at, a_rate.cross(at.P * b) + a.cross(beta_rate), row, H);
  }
};

}  // namespace picus
