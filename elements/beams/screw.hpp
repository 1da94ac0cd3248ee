#pragma once

/// The screw motion that carries section frame A into section frame B, from which a beam derives its strain.
///
/// With the positions x_A, x_B and the axes A, B of two sections, d = A^T (x_B - x_A) and P = A^T B, it is the
/// logarithm of (d, P) in SE(3) (Sonneville, Cardona and Bruels 2014):
///
///     Theta = log P,   rho = T(Theta)^-T d          rad, m
///
/// Both have the same components in the axes of A and of B.
///
/// A common rigid motion does not change them. For rates y = A^T (u_B - u_A), omega_A, omega_B in section axes, with
/// the notation of inverse_tangent.hpp,
///
///     dTheta = E (omega_B - omega_A) + Theta x (omega_A + omega_B)/2
///     drho   = T^-T y + Y(rho) (omega_B - omega_A) + rho x (omega_A + omega_B)/2
///
/// and forces N, M conjugate to rho, Theta act on the ends as
///
///     n = T^-1 N,   m_A = -(m + k),   m_B = m - k,   m = E M + Y(rho) N,   k = (Theta x M + rho x N)/2.

#include <picus/inverse_tangent.hpp>
#include <picus/so3.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

namespace picus {

struct Screw {
  using Vec6 = Eigen::Matrix<double, 6, 1>;

  template <class Position, class Axes>
  Screw(const Position& x_A, const Axes& axes_A, const Position& x_B, const Axes& axes_B)
      : A(axes_A),
        B(axes_B),
        theta(so3::log(Mat3(A.transpose().lazyProduct(B)))),
        inverse(theta),
        rho(inverse.apply_transposed(A.transpose() * (x_B - x_A))) {}

  /// (rho, Theta).
  Vec6 coordinates() const { return (Vec6() << rho, theta).finished(); }

  /// d(rho, Theta)/dt from y, omega_A, omega_B.
  Vec6 rate(const Vec3& y, const Vec3& omega_A, const Vec3& omega_B) const {
    const Vec3 difference = omega_B - omega_A;
    const Vec3 mean = 0.5 * (omega_A + omega_B);
    Vec6 result;
    result.head<3>() = inverse.apply_transposed(y) + inverse.even_rate(difference, rho) + rho.cross(mean);
    result.tail<3>() = inverse.even(difference) + theta.cross(mean);
    return result;
  }

  /// Forces on the ends in equilibrium with (N, M), in section axes: n on B and -n on A (axes of A), m_A and m_B.
  struct EndForces {
    Vec3 n, m_A, m_B;
  };
  EndForces end_forces(const Vec3& N, const Vec3& M) const {
    const Vec3 m = inverse.even(M) + inverse.even_rate(N, rho);
    const Vec3 k = 0.5 * (theta.cross(M) + rho.cross(N));
    return {inverse.apply(N), -(m + k), m - k};
  }

  Mat3 A;  ///< section axes (columns) in the inertial frame
  Mat3 B;
  Vec3 theta;
  so3::InverseTangent inverse;  ///< T^-1 and its derivatives at theta
  Vec3 rho;
};

}  // namespace picus
