#pragma once

/// Derivatives of the screw motion between two sections. With z = (x_B - x_A in the inertial frame, Theta_A,
/// Theta_B in the axes of the nodes), G = d(rho, Theta)/dz (6 x 9) and constant forces s = (N, M):
///
///     d(G^T s)/dz = H G - [A n^ S_A^T in the rows of x_B - x_A and the columns of Theta_A],
///
/// where H (9 x 6) is the derivative of the end forces n, m_A, m_B with respect to (rho, Theta), and the other term
/// comes from the rotation of n with the axes of A. Notation of screw.hpp.

#include <picus/elements/beams/screw.hpp>

namespace picus::screw {

using Gradient = Eigen::Matrix<double, 6, 9>;
using EndRows = Eigen::Matrix<double, 9, 6>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

inline Mat3 half_skew(const Vec3& a) {
  return so3::skew(0.5 * a);
}

/// The gradient G.
inline Gradient gradient(const Screw& at, const Mat3& S_A, const Mat3& S_B) {
  const Mat3 T = at.inverse.matrix();
  const Mat3 Y = at.inverse.rate_matrix(at.rho);
  const Mat3 turn = half_skew(at.rho);
  Gradient G;
  G.block<3, 3>(0, 0) = T.transpose().lazyProduct(at.A.transpose());
  G.block<3, 3>(3, 0).setZero();
  G.block<3, 3>(0, 3) = (turn - Y).lazyProduct(S_A.transpose());
  G.block<3, 3>(3, 3) = -T.transpose().lazyProduct(S_A.transpose());
  G.block<3, 3>(0, 6) = (turn + Y).lazyProduct(S_B.transpose());
  G.block<3, 3>(3, 6) = T.lazyProduct(S_B.transpose());
  return G;
}

/// The matrix H.
inline EndRows end_force_derivative(const Screw& at, const Vec3& N, const Vec3& M, const Mat3& S_A,
                                    const Mat3& S_B) {
  const Mat3 Q_N = at.inverse.derivative(N);
  const Mat3 bend = at.inverse.derivative(M) + at.inverse.second_derivative(N, at.rho);
  const Mat3 turn_N = half_skew(N);
  const Mat3 turn_M = half_skew(M);
  const Mat3 on_A = Q_N - turn_N;
  EndRows H;
  H.block<3, 3>(0, 0).setZero();
  H.block<3, 3>(0, 3) = at.A.lazyProduct(on_A);
  H.block<3, 3>(3, 0) = -S_A.lazyProduct(on_A);
  H.block<3, 3>(3, 3) = S_A.lazyProduct(turn_M - bend);
  H.block<3, 3>(6, 0) = S_B.lazyProduct(Q_N + turn_N);
  H.block<3, 3>(6, 3) = S_B.lazyProduct(turn_M + bend);
  return H;
}

/// d(G dz/dt)/d(rho, Theta) (6 x 6) with dz/dt held constant: y, omega_A, omega_B in section axes.
inline Eigen::Matrix<double, 6, 6> rate_derivative(const Screw& at, const Vec3& y, const Vec3& omega_A,
                                                   const Vec3& omega_B) {
  const Vec3 difference = omega_B - omega_A;
  const Mat3 turning = at.inverse.derivative(difference) - half_skew(omega_A + omega_B);
  Eigen::Matrix<double, 6, 6> result;
  result.topLeftCorner<3, 3>() = turning;
  result.topRightCorner<3, 3>() =
      at.inverse.derivative(y) + half_skew(y) + at.inverse.second_derivative(difference, at.rho);
  result.bottomLeftCorner<3, 3>().setZero();
  result.bottomRightCorner<3, 3>() = turning;
  return result;
}

/// Expands a matrix for z to both ends: x_B - x_A contributes columns and rows of both signs.
inline void write_ends(const Matrix9& k, std::span<double> storage) {
  auto K = matrix_view<12, 12>(storage);
  K.topLeftCorner<6, 6>() = k.topLeftCorner<6, 6>();
  K.block<3, 3>(0, 3) = -k.block<3, 3>(0, 3);
  K.block<3, 3>(3, 0) = -k.block<3, 3>(3, 0);
  K.block<3, 3>(0, 6) = -k.block<3, 3>(0, 0);
  K.block<3, 3>(3, 6) = k.block<3, 3>(3, 0);
  K.block<3, 3>(0, 9) = -k.block<3, 3>(0, 6);
  K.block<3, 3>(3, 9) = k.block<3, 3>(3, 6);
  K.block<3, 6>(6, 0) = -K.block<3, 6>(0, 0);
  K.block<3, 6>(6, 6) = -K.block<3, 6>(0, 6);
  K.block<3, 3>(9, 0) = -k.block<3, 3>(6, 0);
  K.block<3, 3>(9, 3) = k.block<3, 3>(6, 3);
  K.block<3, 6>(9, 6) << k.block<3, 3>(6, 0), k.block<3, 3>(6, 6);
}

}  // namespace picus::screw
