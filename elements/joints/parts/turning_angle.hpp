#pragma once

/// One equation: a scalar s is the angle theta by which B is turned against A about their common axis.
///
///     g   = alpha . beta = sin(theta - s),   alpha = cos s t_2 - sin s t_1,   beta = P b
///     G v = n . (Omega_A - P Omega_B) + alpha_s . beta ds/dt,   n = alpha x beta
///
/// in the axes of A, where (t_1, t_2, axis) is right-handed, b is a direction of B that lies along t_1 at
/// theta = 0, and alpha_s = d alpha/ds = -cos s t_1 - sin s t_2, so that d alpha_s/ds = -alpha. It is the
/// equation of perpendicular directions with a direction that s turns, so its second derivatives are those,
/// with the rate of alpha increased by ds/dt alpha_s, and in the column of s
///
///     d(G v)/ds = n_s . (Omega_A - P Omega_B) - alpha . beta ds/dt,   n_s = alpha_s x beta
///     d(G^T lambda)/ds = lambda (n_s, -P^T n_s, -alpha . beta).
///
/// The sine is periodic: s follows theta past any number of turns.

#include <picus/elements/joints/parts/perpendicular_directions.hpp>

#include <cmath>

namespace picus {

struct TurningAngle {
  static constexpr Index row_count = 1;

  Vec3 t_1 = Vec3::UnitX();  ///< unit vector in the axes of A
  Vec3 t_2 = Vec3::UnitY();  ///< unit vector in the axes of A, perpendicular to t_1
  Vec3 b = Vec3::UnitX();    ///< unit vector in the axes of B
  Index column = 0;          ///< local component of s

  double violation(const JointPlace& at, double s) const {
    const Directions d(*this, at, s);
    return d.alpha.dot(d.beta);
  }

  void gradient(const JointPlace& at, double s, Index row, JointMatrix& G) const {
    const Directions d(*this, at, s);
    write_turning_row(at, d.alpha.cross(d.beta), row, G);
    G(row, column) = d.alpha_s.dot(d.beta);
  }

  void add_force_gradient(const JointPlace& at, double s, double lambda, TurningStiffness& S,
                          JointMatrix& K) const {
    const Directions d(*this, at, s);
    S.add(d.alpha, d.beta, lambda);
    const Vec3 in_A = lambda * d.alpha_s.cross(d.beta);
    const Vec3 in_B = -at.P.transpose() * in_A;
    add_column(at.A.Omega, in_A, K);
    add_column(at.B.Omega, in_B, K);
    K(column, column) -= lambda * d.alpha.dot(d.beta);
  }

  void rate_gradient(const JointPlace& at, double s, std::span<const double> v, Index row,
                     JointMatrix& H) const {
    const Directions d(*this, at, s);
    const double s_rate = v[static_cast<std::size_t>(column)];
    const Vec3 Omega_A = at.A.angular_velocity(v);
    const Vec3 Omega_B = at.P * at.B.angular_velocity(v);
    const Vec3 alpha_rate = Omega_A.cross(d.alpha) + s_rate * d.alpha_s;
    write_turning_row(at, alpha_rate.cross(d.beta) + d.alpha.cross(Omega_B.cross(d.beta)), row, H);
    H(row, column) = d.alpha_s.cross(d.beta).dot(Omega_A - Omega_B) - d.alpha.dot(d.beta) * s_rate;
  }

 private:
  struct Directions {
    Directions(const TurningAngle& angle, const JointPlace& at, double s) {
      const double cos_s = std::cos(s);
      const double sin_s = std::sin(s);
      alpha = cos_s * angle.t_2 - sin_s * angle.t_1;
      alpha_s = -cos_s * angle.t_1 - sin_s * angle.t_2;
      beta = at.P * angle.b;
    }
    Vec3 alpha;
    Vec3 alpha_s;
    Vec3 beta;
  };

  void add_column(Index Omega, const Vec3& entries, JointMatrix& K) const {
    if (Omega < 0) return;
    K.block<3, 1>(Omega, column) += entries;
    K.block<1, 3>(column, Omega) += entries.transpose();
  }
};

}  // namespace picus
