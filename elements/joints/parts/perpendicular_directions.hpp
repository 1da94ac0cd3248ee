#pragma once

/// One equation: a direction a of A stays perpendicular to a direction b of B.
///
///     g   = a . beta,   beta = P b          in the axes of A
///     G v = n . (Omega_A - P Omega_B),      n = a x beta
///     d(G v) = n' . (dTheta_A - P dTheta_B),
///         n' = (Omega_A x a) x beta + a x (P Omega_B x beta), the rate of n as seen from the inertial frame
///     d(G^T lambda): lambda a^ beta^ in TurningStiffness

#include <picus/elements/joints/parts/joint_ends.hpp>

namespace picus {

/// Second derivatives of sum lambda alpha . beta over pairs of directions, in the axes of A, with respect to
/// (Theta_A, Theta_B). They are gathered in one matrix and written once:
///
///     S = sum lambda alpha^ beta^,   K += [  S       -S P     ]
///                                         [ -(S P)^T  P^T S^T P ]
struct TurningStiffness {
  Mat3 S = Mat3::Zero();

  void add(const Vec3& alpha, const Vec3& beta, double lambda) { S += skew_times_skew(lambda * alpha, beta); }

  void write(const JointPlace& at, JointMatrix& K) const {
    const Index A = at.A.Omega;
    const Index B = at.B.Omega;
    if (A >= 0) K.block<3, 3>(A, A) += S;
    if (B < 0) return;
    const Mat3 mixed = S * at.P;
    K.block<3, 3>(B, B).noalias() += mixed.transpose() * at.P;
    if (A < 0) return;
    K.block<3, 3>(A, B) -= mixed;
    K.block<3, 3>(B, A) -= mixed.transpose();
  }
};

struct PerpendicularDirections {
  static constexpr Index row_count = 1;

  Vec3 a = Vec3::UnitX();  ///< unit vector in the axes of A
  Vec3 b = Vec3::UnitY();  ///< unit vector in the axes of B

  double violation(const JointPlace& at) const { return a.dot(at.P * b); }

  void gradient(const JointPlace& at, Index row, JointMatrix& G) const {
    write_turning_row(at, a.cross(at.P * b), row, G);
  }

  void add_force_gradient(const JointPlace& at, double lambda, TurningStiffness& S) const {
    S.add(a, at.P * b, lambda);
  }

  void rate_gradient(const JointPlace& at, std::span<const double> v, Index row, JointMatrix& H) const {
    const Vec3 a_rate = at.A.angular_velocity(v).cross(a);
    const Vec3 beta_rate = at.P * at.B.angular_velocity(v).cross(b);
    write_turning_row(at, a_rate.cross(at.P * b) + a.cross(beta_rate), row, H);
  }
};

}  // namespace picus
