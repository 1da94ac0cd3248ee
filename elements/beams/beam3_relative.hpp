#pragma once

/// The outer sections of a three-node beam relative to its middle one. With the positions x and section axes A (first
/// node), M (middle) and B (last), and I standing for an outer node as well as for its axes,
///
///     d_I = M^T (x_I - x_m),   phi_I = log(M^T I),   y = (d_a, phi_a, d_b, phi_b)      m, rad
///
/// A common rigid motion does not change y. For rates u (inertial) and omega (section axes), r_I = M^T (u_I - u_m),
///
///     dd_I = r_I + d_I x omega_m,   dphi_I = T^-1 omega_I - T^-T omega_m,   T = T(phi_I)
///
/// which in terms of the increments z = (x, Theta of a, m, b) of the nodes is dy = G dz. For forces p = (n_a, m_a,
/// n_b, m_b) conjugate to y and rates y_t = G z_t, with p and z_t held constant,
///
///     d(G^T p)/dz = X G - [M n^ of the forces on the nodes, in the columns of Theta_m],
///     d(G z_t)/dz = Y G + [r_I^ in the rows of d_I and the columns of Theta_m].

#include <picus/elements/beams/beam3_point.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/inverse_tangent.hpp>
#include <picus/so3.hpp>
#include <picus/types.hpp>

#include <array>

namespace picus::beam3 {

using Vec18 = Eigen::Matrix<double, 18, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using Mat18 = Eigen::Matrix<double, 18, 18>;
using Gradient = Eigen::Matrix<double, 12, 18>;
using NodeRows = Eigen::Matrix<double, 18, 12>;

/// A section: its position, and its axes (t, d1, d2) as columns.
struct Pose {
  Vec3 x;
  Mat3 axes;
};

/// Velocities of a section: u in inertial axes, omega in section axes.
struct Rate {
  Vec3 u;
  Vec3 omega;
};

/// Position of the components of the outer nodes within z.
inline constexpr std::array<Index, 2> outer = {0, 12};

struct Relative {
  /// From the sections at a, m and b.
  explicit Relative(const std::array<Pose, 3>& at)
      : M(at[1].axes),
        d{M.transpose() * (at[0].x - at[1].x), M.transpose() * (at[2].x - at[1].x)},
        phi{so3::log(Mat3(M.transpose().lazyProduct(at[0].axes))),
            so3::log(Mat3(M.transpose().lazyProduct(at[2].axes)))},
        inverse{so3::InverseTangent(phi[0]), so3::InverseTangent(phi[1])} {}

  Vec12 rate(const std::array<Rate, 3>& v) const {
    Vec12 y;
    for (Index i = 0; i < 2; ++i) {
      const std::size_t I = i;
      const Rate& end = v[2 * I];
      y.segment<3>(6 * i) = M.transpose() * (end.u - v[1].u) + d[I].cross(v[1].omega);
      y.segment<3>(6 * i + 3) = inverse[I].apply(end.omega) - inverse[I].apply_transposed(v[1].omega);
    }
    return y;
  }

  /// -G^T p, transformed to node axes with the constant section axes S.
  void write_forces(const Vec12& p, const std::array<Mat3, 3>& S, std::span<double> storage) const {
    auto f = vector_view<18>(storage);
    Vec3 moment = Vec3::Zero();
    for (Index i = 0; i < 2; ++i) {
      const std::size_t I = i;
      const Vec3 n = p.segment<3>(6 * i);
      const Vec3 m = p.segment<3>(6 * i + 3);
      const Vec3 turned = M * n;
      f.segment<3>(outer[I]) = -turned;
      f.segment<3>(outer[I] + 3) = -(S[2 * I] * inverse[I].apply_transposed(m));
      f.segment<3>(6) += turned;
      moment += d[I].cross(n) + inverse[I].apply(m);
    }
    f.segment<3>(9) = S[1] * moment;
  }

  /// The gradient G.
  Gradient gradient(const std::array<Mat3, 3>& S) const {
    Gradient G = Gradient::Zero();
    for (Index i = 0; i < 2; ++i) {
      const std::size_t I = i;
      const Mat3 T = inverse[I].matrix();
      G.block<3, 3>(6 * i, outer[I]) = M.transpose();
      G.block<3, 3>(6 * i, 6) = -M.transpose();
      G.block<3, 3>(6 * i, 9) = so3::skew(d[I]).lazyProduct(S[1].transpose());
      G.block<3, 3>(6 * i + 3, outer[I] + 3) = T.lazyProduct(S[2 * I].transpose());
      G.block<3, 3>(6 * i + 3, 9) = -T.transpose().lazyProduct(S[1].transpose());
    }
    return G;
  }

  /// The matrix X.
  NodeRows force_derivative(const Vec12& p, const std::array<Mat3, 3>& S) const {
    NodeRows X = NodeRows::Zero();
    for (Index i = 0; i < 2; ++i) {
      const std::size_t I = i;
      const Vec3 m = p.segment<3>(6 * i + 3);
      const Mat3 Q = inverse[I].derivative(m);
      const Mat3 half = so3::skew(0.5 * m);
      X.block<3, 3>(9, 6 * i) = times_skew(S[1], p.segment<3>(6 * i));
      X.block<3, 3>(9, 6 * i + 3) = S[1].lazyProduct(half - Q);
      X.block<3, 3>(outer[I] + 3, 6 * i + 3) = S[2 * I].lazyProduct(Q + half);
    }
    return X;
  }

  /// K += the term of d(G^T p)/dz that is not in X G.
  template <class Matrix>
  void add_rotation_of_forces(const Vec12& p, const Mat3& S_m, Matrix& K) const {
    for (Index i = 0; i < 2; ++i) {
      const Mat3 turn = times_skew(M, p.segment<3>(6 * i)).lazyProduct(S_m.transpose());
      K.template block<3, 3>(outer[i], 9) -= turn;
      K.template block<3, 3>(6, 9) += turn;
    }
  }

  /// The matrix Y.
  Mat12 rate_derivative(const std::array<Rate, 3>& v) const {
    Mat12 Y = Mat12::Zero();
    for (Index i = 0; i < 2; ++i) {
      const std::size_t I = i;
      const Vec3& omega = v[2 * I].omega;
      Y.block<3, 3>(6 * i, 6 * i) = -so3::skew(v[1].omega);
      Y.block<3, 3>(6 * i + 3, 6 * i + 3) =
          inverse[I].derivative(omega - v[1].omega) - so3::skew(0.5 * (omega + v[1].omega));
    }
    return Y;
  }

  /// The term of d(G z_t)/dz that is not in Y G: its columns of Theta_m.
  Eigen::Matrix<double, 12, 3> rotation_of_rates(const std::array<Rate, 3>& v, const Mat3& S_m) const {
    Eigen::Matrix<double, 12, 3> result = Eigen::Matrix<double, 12, 3>::Zero();
    for (Index i = 0; i < 2; ++i) {
      const Vec3 r = M.transpose() * (v[2 * i].u - v[1].u);
      result.middleRows<3>(6 * i) = so3::skew(r).lazyProduct(S_m.transpose());
    }
    return result;
  }

  Mat3 M;
  std::array<Vec3, 2> d;
  std::array<Vec3, 2> phi;
  std::array<so3::InverseTangent, 2> inverse;
};

}  // namespace picus::beam3
