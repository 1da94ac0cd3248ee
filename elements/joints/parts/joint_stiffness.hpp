#pragma once

/// d(G^T lambda)/dq of a joint. Terms of the same kind are summed over the parts and written once, by write():
///
///     force f at p_B and -f at p_A, constant in inertial axes:
///          X_B^ (R_B^T f)^  in (Omega_B, Omega_B),   -X_A^ (R_A^T f)^  in (Omega_A, Omega_A)
///
///     w . D with w constant in the axes of A (Galvez 2020, eq. 4.37 and 4.38), F = R_A w and E = D + X_A:
///          -R_A w^  in (u_B, Omega_A),   R_A w^  in (u_A, Omega_A),   and their transposes,
///          X_B^ (R_B^T F)^  in (Omega_B, Omega_B),   w^ E^  in (Omega_A, Omega_A),
///          (R_B X_B^)^T R_A w^  in (Omega_B, Omega_A), and its transpose
///
///     sum lambda alpha . beta over directions alpha of A and beta of B, both in the axes of A, with
///     S = sum lambda alpha^ beta^:
///          [  S         -S P       ]
///          [ -(S P)^T    P^T S^T P ]   in (Omega_A, Omega_B)

#include <picus/elements/joints/parts/joint_ends.hpp>

namespace picus {

class JointStiffness {
 public:
  explicit JointStiffness(const JointMatrix& matrix) : K(matrix) {}

  JointMatrix K;  ///< receives the terms that only one part has

  /// f in inertial axes, N.
  void add_force(const Vec3& f) {
    force_ += f;
    has_force_ = true;
  }
  /// w in the axes of A, N.
  void add_displacement(const Vec3& w) {
    displacement_ += w;
    has_displacement_ = true;
  }
  /// lambda in N m, alpha and beta in the axes of A.
  void add_directions(const Vec3& alpha, const Vec3& beta, double lambda) {
    rotation_ += skew_times_skew(lambda * alpha, beta);
    has_rotation_ = true;
  }

  void write(const JointKinematics& at) {
    if (has_force_) write_force(at);
    if (has_displacement_) write_displacement(at);
    if (has_rotation_) write_rotation(at);
  }

 private:
  void write_force(const JointKinematics& at) {
    const auto& A = at.A;
    const auto& B = at.B;
    if (A.Omega >= 0) K.block<3, 3>(A.Omega, A.Omega) -= skew_times_skew(A.X, A.R.transpose() * force_);
    if (B.Omega >= 0) K.block<3, 3>(B.Omega, B.Omega) += skew_times_skew(B.X, B.R.transpose() * force_);
  }

  void write_displacement(const JointKinematics& at) {
    const auto& A = at.A;
    const auto& B = at.B;
    const Vec3& w = displacement_;
    if (B.Omega >= 0) K.block<3, 3>(B.Omega, B.Omega) += skew_times_skew(B.X, B.R.transpose() * (A.R * w));
    if (A.Omega < 0) return;
    const Mat3 F = times_skew(A.R, w);
    K.block<3, 3>(A.Omega, A.Omega) += skew_times_skew(w, at.separation_in_axes() + A.X);
    add_symmetric(A.u, A.Omega, F);
    if (B.u >= 0) add_symmetric(B.u, A.Omega, -F);
    if (B.Omega >= 0) add_symmetric(B.Omega, A.Omega, times_skew(B.R, B.X).transpose() * F);
  }

  void write_rotation(const JointKinematics& at) {
    const Index A = at.A.Omega;
    const Index B = at.B.Omega;
    const Mat3& S = rotation_;
    if (A >= 0) K.block<3, 3>(A, A) += S;
    if (B < 0) return;
    const Mat3 mixed = S * at.P;
    K.block<3, 3>(B, B).noalias() += mixed.transpose() * at.P;
    if (A >= 0) add_symmetric(A, B, -mixed);
  }

  void add_symmetric(Index i, Index j, const Mat3& block) {
    K.block<3, 3>(i, j) += block;
    K.block<3, 3>(j, i) += block.transpose();
  }

  Vec3 force_ = Vec3::Zero();
  Vec3 displacement_ = Vec3::Zero();
  Mat3 rotation_ = Mat3::Zero();
  bool has_force_ = false;
  bool has_displacement_ = false;
  bool has_rotation_ = false;
};

}  // namespace picus
