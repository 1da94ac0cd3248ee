#pragma once

/// A slave point S seen from a plane face of a master A (Galvez 2020, section 4.1).
///
///     D(q) = R_A^T (x_S - x_A)                  S in the axes of the master
///     normal distance N . (D - P)               eq. 4.12
///     tangential motion T_k . (D(q) - D(q_n))   eq. 4.13
///
/// On the ground R_A = I and x_A = 0. With e_k = R_A E_k the row of E_k = N, T_1, T_2 is (eq. 4.27 and 4.33,
/// here also for a slave point at X in the axes of its frame R_S)
///
///     G_k = [ e_k^T   (X x R_S^T e_k)^T   -e_k^T   (E_k x D)^T ]
///
/// in the order slave, master. For w = sum p_k E_k the derivatives of G^T p (eq. 4.37 and 4.38) are, with
/// F = R_A w, in the rows of
///
///     slave u, and with the other sign master u:   -R_A w^ dTheta_A
///     slave Omega:    X^ (R_S^T F)^ dTheta_S - X^ R_S^T R_A w^ dTheta_A
///     master Omega:   w^ R_A^T (dx_S - R_S X^ dTheta_S - dx_A) + w^ D^ dTheta_A

#include <picus/elements/skew_products.hpp>
#include <picus/material_point.hpp>

namespace picus {

struct PointOnFace {
  using Matrix = Eigen::Map<Eigen::MatrixXd>;

  MaterialPoint slave;
  Node master;      ///< invalid on the ground
  Vec3 P;           ///< a point of the plane, in the axes of the master
  Mat3 directions;  ///< N, T_1 and T_2 as columns, same axes

  Index dof_count() const { return slave.dof_count() + (master.valid() ? 6 : 0); }
  /// First component of the master's rotation.
  Index master_turn() const { return slave.dof_count() + 3; }

  /// D
  Vec3 slave_in_master(const Configuration& q) const {
    if (!master.valid()) return slave.position(q);
    return q.rotation(master).transpose() * (slave.position(q) - q.position(master));
  }

  /// sum p_k E_k
  Vec3 combination(std::span<const double> p, Index rows) const {
    Vec3 w = p[0] * directions.col(0);
    for (Index k = 1; k < rows; ++k) w += p[static_cast<std::size_t>(k)] * directions.col(k);
    return w;
  }

  /// Normal distance and tangential motion.
  void gap(const Configuration& q_n, const Configuration& q, Index rows, std::span<double> g) const {
    const Vec3 D = slave_in_master(q);
    g[0] = directions.col(0).dot(D - P);
    if (rows == 1) return;
    const Vec3 motion = D - slave_in_master(q_n);
    for (Index k = 1; k < rows; ++k) g[static_cast<std::size_t>(k)] = directions.col(k).dot(motion);
  }

  void gradient(const Configuration& q, Index rows, std::span<double> G) const {
    const Index slave_dofs = slave.dof_count();
    Matrix matrix(G.data(), rows, dof_count());
    Mat3 e = directions;
    if (master.valid()) {
      e = q.rotation(master) * directions;
      const Vec3 D = slave_in_master(q);
      for (Index k = 0; k < rows; ++k) {
        matrix.block<1, 3>(k, slave_dofs) = -e.col(k).transpose();
        matrix.block<1, 3>(k, slave_dofs + 3) = directions.col(k).cross(D).transpose();
      }
    }
    for (Index k = 0; k < rows; ++k) matrix.block<1, 3>(k, 0) = e.col(k).transpose();
    if (!slave.on_frame()) return;
    const Mat3 in_slave = q.rotation(slave.node).transpose() * e;
    for (Index k = 0; k < rows; ++k)
      matrix.block<1, 3>(k, 3) = slave.offset.cross(in_slave.col(k)).transpose();
  }

  /// d(G^T p)/dq for w = sum p_k E_k.
  void curvature(const Configuration& q, const Vec3& w, std::span<double> K) const {
    Matrix matrix(K.data(), dof_count(), dof_count());
    if (!master.valid()) {
      if (slave.on_frame()) {
        matrix.block<3, 3>(3, 3) = skew_times_skew(slave.offset, q.rotation(slave.node).transpose() * w);
      }
      return;
    }

    const Index u = slave.dof_count();
    const Index Omega = u + 3;
    const Mat3 R_A = q.rotation(master);
    const Mat3 R_A_w = times_skew(R_A, w);
    matrix.block<3, 3>(0, Omega) = -R_A_w;
    matrix.block<3, 3>(u, Omega) = R_A_w;
    matrix.block<3, 3>(Omega, 0) = -R_A_w.transpose();
    matrix.block<3, 3>(Omega, u) = R_A_w.transpose();
    matrix.block<3, 3>(Omega, Omega) = skew_times_skew(w, slave_in_master(q));
    if (!slave.on_frame()) return;
    const Mat3 R_S = q.rotation(slave.node);
    const Mat3 mixed = times_skew(R_S, slave.offset).transpose() * R_A_w;
    matrix.block<3, 3>(3, 3) = skew_times_skew(slave.offset, R_S.transpose() * (R_A * w));
    matrix.block<3, 3>(3, Omega) = mixed;
    matrix.block<3, 3>(Omega, 3) = mixed.transpose();
  }
};

}  // namespace picus
