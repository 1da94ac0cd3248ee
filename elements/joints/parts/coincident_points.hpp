#pragma once

/// Three equations: a point of B coincides with a point of A (Galvez 2020, eq. 2.41 and 2.42).
///
///     g   = d = x_B + R_B X_B - x_A - R_A X_A
///     G v = u_B - R_B X_B^ Omega_B - u_A + R_A X_A^ Omega_A
///     d(G v) = -R_B (Omega_B x X_B)^ dTheta_B + R_A (Omega_A x X_A)^ dTheta_A
///     d(G^T lambda): the force lambda in JointStiffness

#include <picus/elements/joints/parts/joint_stiffness.hpp>

namespace picus {

struct CoincidentPoints {
  static constexpr Index row_count = 3;

  static void residual(const JointKinematics& at, std::span<double> g) {
    vector_view<3>(g) = at.separation();
  }

  static void gradient(const JointKinematics& at, Index row, JointMatrix& G) {
    const auto& A = at.A;
    const auto& B = at.B;
    if (A.u >= 0) G.block<3, 3>(row, A.u).diagonal().setConstant(-1.0);
    if (B.u >= 0) G.block<3, 3>(row, B.u).diagonal().setConstant(1.0);
    if (A.Omega >= 0) G.block<3, 3>(row, A.Omega) = times_skew(A.R, A.X);
    if (B.Omega >= 0) G.block<3, 3>(row, B.Omega) = times_skew(B.R, -B.X);
  }

  static void add_geometric_stiffness(const JointKinematics&, std::span<const double> lambda,
                                      JointStiffness& K) {
    K.add_force(vector_view<3>(lambda));
  }

  static void rate_jacobian(const JointKinematics& at, JointVelocity v, Index row, JointMatrix& H) {
    const auto& A = at.A;
    const auto& B = at.B;
    if (A.Omega >= 0) H.block<3, 3>(row, A.Omega) = times_skew(A.R, A.angular_velocity(v).cross(A.X));
    if (B.Omega >= 0) H.block<3, 3>(row, B.Omega) = times_skew(B.R, B.X.cross(B.angular_velocity(v)));
  }
};

}  // namespace picus
