#pragma once

/// One equation: a direction of A stays perpendicular to a direction of B.
///
///     g   = alpha . beta,   alpha = R_A a,   beta = R_B b
///     G v = n . (omega_A - omega_B),   n = alpha x beta
///     d(G v)        = n' . (R_A dTheta_A - R_B dTheta_B),   n' = alpha' x beta + alpha x beta', rates primed
///     d(G^T lambda) = lambda S (dTheta_A, dTheta_B),   S as in add_turning_stiffness

#include <picus/elements/joints/parts/joint_end.hpp>

namespace picus {

/// K += lambda S, where S holds the second derivatives of alpha . beta:
///
///     S = [ R_A^T alpha^ beta^ R_A    -R_A^T alpha^ beta^ R_B ]
///         [ -R_B^T beta^ alpha^ R_A    R_B^T beta^ alpha^ R_B ]
inline void add_turning_stiffness(const JointPose& A, const JointPose& B, const Vec3& alpha, const Vec3& beta,
                                  double lambda, JointMatrix& K) {
  const Mat3 first = lambda * skew_times_skew(alpha, beta);
  if (A.Omega >= 0) {
    const Mat3 product = A.R.transpose() * first;
    K.block<3, 3>(A.Omega, A.Omega).noalias() += product * A.R;
    if (B.Omega >= 0) {
      const Mat3 mixed = product * B.R;
      K.block<3, 3>(A.Omega, B.Omega) -= mixed;
      K.block<3, 3>(B.Omega, A.Omega) -= mixed.transpose();
    }
  }
  if (B.Omega >= 0) {
    const Mat3 product = B.R.transpose() * first.transpose();
    K.block<3, 3>(B.Omega, B.Omega).noalias() += product * B.R;
  }
}

struct PerpendicularDirections {
  static constexpr Index row_count = 1;

  Vec3 a = Vec3::UnitX();  ///< unit vector in the axes of A
  Vec3 b = Vec3::UnitY();  ///< unit vector in the axes of B

  double violation(const JointPose& A, const JointPose& B) const { return (A.R * a).dot(B.R * b); }

  void gradient(const JointPose& A, const JointPose& B, Index row, JointMatrix& G) const {
    write_turning_row(A, B, (A.R * a).cross(B.R * b), row, G);
  }

  void add_force_gradient(const JointPose& A, const JointPose& B, double lambda, JointMatrix& K) const {
    add_turning_stiffness(A, B, A.R * a, B.R * b, lambda, K);
  }

  void rate_gradient(const JointPose& A, const JointPose& B, std::span<const double> v, Index row,
                     JointMatrix& H) const {
    const Vec3 alpha_rate = A.R * A.angular_velocity(v).cross(a);
    const Vec3 beta_rate = B.R * B.angular_velocity(v).cross(b);
    write_turning_row(A, B, alpha_rate.cross(B.R * b) + (A.R * a).cross(beta_rate), row, H);
  }
};

}  // namespace picus
