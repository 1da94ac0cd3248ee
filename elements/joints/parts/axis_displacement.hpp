#pragma once

/// One equation: the displacement of the point of B along a direction a of A, relative to the point of A, is constant
/// or differs from a scalar s by a constant.
///
///     g   = a . D - c - s,   D = R_A^T (p_B - p_A)
///     G v = e . (dp_B/dt - dp_A/dt) + (a x D) . Omega_A - ds/dt,   e = R_A a
///     d(G^T lambda): w = lambda a in JointStiffness
///     d(G v): with e' = R_A (Omega_A x a) the rate of e,
///         e  . d(dp_B/dt - dp_A/dt) + (a x R_A^T (dp_B/dt - dp_A/dt)) . dTheta_A
///         + e' . (dp_B - dp_A) + ((Omega_A x a) x D) . dTheta_A
///
/// With c and without s it keeps a point in a plane; two such equations keep it on a line.

#include <picus/elements/joints/parts/joint_stiffness.hpp>
#include <picus/elements/joints/parts/rotation_angle.hpp>

namespace picus {

struct AxisDisplacement {
  static constexpr Index row_count = 1;

  Vec3 a = Vec3::UnitX();  ///< unit vector in the axes of A
  double c = 0.0;          ///< m
  JointScalar s;           ///< m

  /// a . D - c and its rate.
  CoordinateValue measure(const JointKinematics& at, JointVelocity v) const {
    const Vec3 e = at.A.R * a;
    const Vec3 D = at.separation_in_axes();
    return {a.dot(D) - c, e.dot(at.separation_rate(v)) + a.cross(D).dot(at.A.angular_velocity(v))};
  }

  void residual(const JointKinematics& at, std::span<double> g) const {
    g[0] = a.dot(at.separation_in_axes()) - c;
    if (s.is_given()) g[0] -= s.value(at);
  }

  void gradient(const JointKinematics& at, Index row, JointMatrix& G) const {
    add_row(at, a, row, G);
    if (s.is_given()) G(row, s.column) = -1.0;
  }

  void add_geometric_stiffness(const JointKinematics&, std::span<const double> lambda,
                               JointStiffness& K) const {
    K.add_displacement(lambda[0] * a);
  }

  void rate_jacobian(const JointKinematics& at, JointVelocity v, Index row, JointMatrix& H) const {
    add_separation_rate_row(at, at.A.R * a, v, row, H);
    if (at.A.Omega < 0) return;
    add_row(at, at.A.angular_velocity(v).cross(a), row, H);
    const Vec3 rate_in_A = at.A.R.transpose() * at.separation_rate(v);
    H.block<1, 3>(row, at.A.Omega) += a.cross(rate_in_A).transpose();
  }

  /// Adds d(direction . D), the direction in the axes of A.
  static void add_row(const JointKinematics& at, const Vec3& direction, Index row, JointMatrix& G) {
    add_separation_row(at, at.A.R * direction, row, G);
    if (at.A.Omega < 0) return;
    G.block<1, 3>(row, at.A.Omega) += direction.cross(at.separation_in_axes()).transpose();
  }
};

}  // namespace picus
