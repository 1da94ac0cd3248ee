#pragma once

/// Three equations: a point of B stays at a point of A (Galvez 2020, eq. 2.41 and 2.42).
///
///     g   = x_B + R_B X_B - x_A - R_A X_A
///     G v = u_B - R_B X_B^ Omega_B - u_A + R_A X_A^ Omega_A
///     d(G^T lambda) =  X_B^ (R_B^T lambda)^ dTheta_B   in the rows of Omega_B,
///                     -X_A^ (R_A^T lambda)^ dTheta_A   in the rows of Omega_A
///     d(G v) = -R_B (Omega_B x X_B)^ dTheta_B + R_A (Omega_A x X_A)^ dTheta_A

#include <picus/elements/joints/parts/joint_ends.hpp>

namespace picus {

struct CoincidentPoints {
  static constexpr Index row_count = 3;

  Vec3 X_A = Vec3::Zero();  ///< in the axes of A, m
  Vec3 X_B = Vec3::Zero();  ///< in the axes of B, m

  Vec3 violation(const JointPlace& at) const { return at.B.x + at.B.R * X_B - at.A.x - at.A.R * X_A; }

  void gradient(const JointPlace& at, Index row, JointMatrix& G) const {
    const auto& [A, B, P] = at;
    if (A.u >= 0) G.block<3, 3>(row, A.u).diagonal().setConstant(-1.0);
    if (B.u >= 0) G.block<3, 3>(row, B.u).diagonal().setConstant(1.0);
    if (A.Omega >= 0) G.block<3, 3>(row, A.Omega) = times_skew(A.R, X_A);
    if (B.Omega >= 0) G.block<3, 3>(row, B.Omega) = times_skew(B.R, -X_B);
  }

  void add_force_gradient(const JointPlace& at, const Vec3& lambda, JointMatrix& K) const {
    const auto& [A, B, P] = at;
    if (A.Omega >= 0) K.block<3, 3>(A.Omega, A.Omega) -= skew_times_skew(X_A, A.R.transpose() * lambda);
    if (B.Omega >= 0) K.block<3, 3>(B.Omega, B.Omega) += skew_times_skew(X_B, B.R.transpose() * lambda);
  }

  void rate_gradient(const JointPlace& at, std::span<const double> v, Index row, JointMatrix& H) const {
    const auto& [A, B, P] = at;
    if (A.Omega >= 0) H.block<3, 3>(row, A.Omega) = times_skew(A.R, A.angular_velocity(v).cross(X_A));
    if (B.Omega >= 0) H.block<3, 3>(row, B.Omega) = times_skew(B.R, X_B.cross(B.angular_velocity(v)));
  }
};

}  // namespace picus
