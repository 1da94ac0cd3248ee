#pragma once

/// One equation: a scalar s is the angle theta by which B is turned against A about their common axis.
///
///     g   = alpha . beta = sin(theta - s),   alpha = R_A (cos s t_2 - sin s t_1),   beta = R_B b
///     G v = n . (omega_A - omega_B) + alpha_s . beta ds/dt,   n = alpha x beta
///
/// where (t_1, t_2, axis) is right-handed in A, b is a direction of B that lies along R_A t_1 at theta = 0,
/// and alpha_s = d alpha/ds = -R_A (cos s t_1 + sin s t_2), so that d alpha_s/ds = -alpha. It is the equation
/// of perpendicular directions with a direction that s turns: its second derivatives are those, with the rate
/// ds/dt alpha_s added to alpha', and
///
///     in the column of s:   d(G v)/ds = (alpha_s x beta) . (omega_A - omega_B) - alpha . beta ds/dt,
///     d(G^T lambda)/ds = lambda (R_A^T (alpha_s x beta), -R_B^T (alpha_s x beta), -alpha . beta).
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

  double violation(const JointPose& A, const JointPose& B, double s) const {
    const Directions d = directions(A, B, s);
    return d.alpha.dot(d.beta);
  }

  void gradient(const JointPose& A, const JointPose& B, double s, Index s_column, Index row,
                JointMatrix& G) const {
    const Directions d = directions(A, B, s);
    write_turning_row(A, B, d.alpha.cross(d.beta), row, G);
    G(row, s_column) = d.alpha_s.dot(d.beta);
  }

  void add_force_gradient(const JointPose& A, const JointPose& B, double s, Index s_column, double lambda,
                          JointMatrix& K) const {
    const Directions d = directions(A, B, s);
    add_turning_stiffness(A, B, d.alpha, d.beta, lambda, K);
    const Vec3 n_s = lambda * d.alpha_s.cross(d.beta);
    if (A.Omega >= 0) {
      const Vec3 entries = A.R.transpose() * n_s;
      K.block<3, 1>(A.Omega, s_column) += entries;
      K.block<1, 3>(s_column, A.Omega) += entries.transpose();
    }
    if (B.Omega >= 0) {
      const Vec3 entries = B.R.transpose() * n_s;
      K.block<3, 1>(B.Omega, s_column) -= entries;
      K.block<1, 3>(s_column, B.Omega) -= entries.transpose();
    }
    K(s_column, s_column) -= lambda * d.alpha.dot(d.beta);
  }

  void rate_gradient(const JointPose& A, const JointPose& B, double s, Index s_column,
                     std::span<const double> v, Index row, JointMatrix& H) const {
    const Directions d = directions(A, B, s);
    const double s_rate = v[static_cast<std::size_t>(s_column)];
    const Vec3 omega_A = A.R * A.angular_velocity(v);
    const Vec3 omega_B = B.R * B.angular_velocity(v);
    const Vec3 alpha_rate = omega_A.cross(d.alpha) + s_rate * d.alpha_s;
    write_turning_row(A, B, alpha_rate.cross(d.beta) + d.alpha.cross(omega_B.cross(d.beta)), row, H);
    H(row, s_column) = d.alpha_s.cross(d.beta).dot(omega_A - omega_B) - d.alpha.dot(d.beta) * s_rate;
  }

 private:
  struct Directions {
    Vec3 alpha;
    Vec3 alpha_s;
    Vec3 beta;
  };
  Directions directions(const JointPose& A, const JointPose& B, double s) const {
    const double cos_s = std::cos(s);
    const double sin_s = std::sin(s);
    return {A.R * (cos_s * t_2 - sin_s * t_1), -(A.R * (cos_s * t_1 + sin_s * t_2)), B.R * b};
  }
};

}  // namespace picus
