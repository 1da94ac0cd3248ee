#pragma once

/// One equation: a scalar s is the angle theta of B relative to A about an axis.
///
///     g   = h(q, s) = rho sin(theta - s)             see rotation_directions.hpp
///     G v = n . (Omega_A - P Omega_B) + h_s ds/dt
///     d(G v) = n' . (dTheta_A - P dTheta_B) + (n_s . (Omega_A - P Omega_B) - h ds/dt) ds
///     d(G^T lambda)/ds = lambda (n_s, -P^T n_s, -h) and lambda f^ beta^ in JointStiffness
///
/// The sine is periodic: s follows theta beyond any number of turns.

#include <picus/elements/joints/parts/rotation_directions.hpp>

namespace picus {

/// The value of a joint coordinate, and its rate.
struct CoordinateValue {
  double value;
  double rate;
};

struct RotationAngle {
  static constexpr Index row_count = 1;

  RotationPair pair;
  JointScalar s;  ///< none: the angle can be measured, but there is no equation

  /// theta in (-pi, pi] and its rate, without s.
  CoordinateValue measure(const JointKinematics& at, JointVelocity v) const {
    const double theta = pair.angle(at);
    const RotationDirections at_theta(pair, at, theta);
    return {theta, -at_theta.n().dot(at.relative_angular_velocity(v)) / at_theta.h_s()};
  }

  void residual(const JointKinematics& at, std::span<double> g) const {
    g[0] = RotationDirections(pair, at, s.value(at)).h();
  }

  void gradient(const JointKinematics& at, Index row, JointMatrix& G) const {
    const RotationDirections d(pair, at, s.value(at));
    add_rotation_row(at, d.n(), row, G);
    G(row, s.column) = d.h_s();
  }

  void add_geometric_stiffness(const JointKinematics& at, std::span<const double> lambda,
                               JointStiffness& K) const {
    const RotationDirections d(pair, at, s.value(at));
    K.add_directions(d.f, d.beta, lambda[0]);
    const Vec3 in_A = lambda[0] * d.n_s();
    const Vec3 in_B = -at.P.transpose() * in_A;
    add_column(at.A.Omega, in_A, K.K);
    add_column(at.B.Omega, in_B, K.K);
    K.K(s.column, s.column) -= lambda[0] * d.h();
  }

  void rate_jacobian(const JointKinematics& at, JointVelocity v, Index row, JointMatrix& H) const {
    const RotationDirections d(pair, at, s.value(at));
    const double s_rate = s.rate(v);
    add_rotation_row(at, d.n_rate(at, v, s_rate), row, H);
    H(row, s.column) = d.n_s().dot(at.relative_angular_velocity(v)) - d.h() * s_rate;
  }

 private:
  void add_column(Index Omega, const Vec3& entries, JointMatrix& K) const {
    if (Omega < 0) return;
    K.block<3, 1>(Omega, s.column) += entries;
    K.block<1, 3>(s.column, Omega) += entries.transpose();
  }
};

}  // namespace picus
