#pragma once

/// A slave point S relative to a plane face of a master A (Galvez 2020, section 4.1).
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
/// in the order slave, master; a slave point on the ground has no columns. For w = sum p_k E_k the derivatives of
/// G^T p (eq. 4.37 and 4.38) are, with F = R_A w, in the rows of
///
///     slave u, and with the other sign master u:   -R_A w^ dTheta_A
///     slave Omega:    X^ (R_S^T F)^ dTheta_S - X^ R_S^T R_A w^ dTheta_A
///     master Omega:   w^ R_A^T (dx_S - R_S X^ dTheta_S - dx_A) + w^ D^ dTheta_A

#include <picus/material_point.hpp>

namespace picus {

struct Culprit;

struct PointOnFace {
  using Matrix = Eigen::Map<Eigen::MatrixXd>;

  MaterialPoint slave;
  Node master;      ///< invalid on the ground
  Vec3 P;           ///< a point of the plane, in the axes of the master
  Mat3 directions;  ///< N, T_1 and T_2 as columns, same axes; those of the rows

  /// Multiplies T_2 by a, so that friction lies in an ellipse: along T_2 the coefficient is a mu. Throws ModelError unless
  /// a > 0, and for a != 1 unless friction has two directions.
  void make_anisotropic(const Culprit& who, double a, Index friction_directions);

  Index dof_count() const { return slave.dof_count() + (master.valid() ? 6 : 0); }
  /// Local index of the master's first rotation component.
  Index master_rotation() const { return slave.dof_count() + 3; }

  /// The vector D.
  Vec3 slave_in_master(const Configuration& q) const;

  /// sum p_k E_k over the first `rows` rows.
  Vec3 combination(std::span<const double> p, Index rows) const;

  /// Normal distance and tangential motion.
  void displacement(const Configuration& q_n, const Configuration& q, Index rows, std::span<double> g) const;

  /// The first `rows` of `all_rows` rows of G.
  void gradient(const Configuration& q, Index rows, Index all_rows, std::span<double> G) const;

  /// d(G^T p)/dq for w = sum p_k E_k.
  void geometric_stiffness(const Configuration& q, const Vec3& w, std::span<double> K) const;
};

}  // namespace picus
