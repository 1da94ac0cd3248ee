#pragma once

/// The mechanics of a flexible body in floating frame of reference formulation, reduced to a few shapes: plain data
/// with which ReducedBody is built. reduce() makes it from a Model of beams and solids or from matrices of another
/// program; `picus/results/reduced_basis_file.hpp` stores it.
///
/// The body has a frame (x, R) and modal coordinates eta. Its material points are at x + R y with
///
///     y = X + Phi eta
///
/// (m coordinates, X and Phi in the axes of the frame), and its kinetic energy is that of the finite elements with
/// these displacements (Shabana, Dynamics of Multibody Systems, chapter 5):
///
///     T = 1/2 [u Omega etad] [ m I       -R s^    R N  ] [u Omega etad]^T      s = s_0 + N eta
///                            [ s^ R^T     J       L    ]                       J = J_0 + sum_k J_k eta_k
///                            [ N^T R^T    L^T     M_ee ]                           + sum_kl J_kl eta_k eta_l
///                                                                              L_a = L_0a + B_a^T eta   (row a of L)
///
/// B_a is antisymmetric. Rotational inertias of frame nodes, and masses that are not at their nodes, contribute to the
/// terms that do not depend on eta.
///
/// Stresses stiffen: a force F and a moment M at an interface (body axes) add K_G = sum_c F_c K_c + sum_c M_c K_{3+c} to
/// the stiffness. Both this and its equivalent in motion, displacements and rotation vectors of second order
///
///     y_c = X_c + Phi_c eta - 1/2 eta . K_c eta,   theta_c = Psi_c eta - 1/2 eta . K_{3+c} eta
///
/// (a bent rod is shorter), follow from ReducedPoint::stiffening.

#include <picus/node.hpp>
#include <picus/types.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace picus {

/// The six components of a symmetric 3 x 3 matrix: xx, yy, zz, xy, yz, zx.
using Symmetric3 = Eigen::Matrix<double, 6, 1>;

/// A point of a reduced body, with the axes of the section or interface there.
struct ReducedPoint {
  std::string name;                 ///< of the node or interface
  NodeKind kind = NodeKind::point;  ///< frame: with a rotation
  Vec3 position = Vec3::Zero();     ///< X, m
  Mat3 axes = Mat3::Identity();     ///< the axes of a frame in those of the body, for eta = 0
  Eigen::Matrix3Xd translation;     ///< Phi, 3 x m
  /// Psi, rotation of a frame, 3 x m: it is at axes exp((rotation eta)^), in its own axes; empty for a point.
  Eigen::Matrix3Xd rotation = {};
  /// The geometric stiffness K_c due to a unit force on the body at this point along each axis, and due to a unit
  /// moment about each of the point's own axes (frames only), m x m, symmetric; empty: left out.
  std::vector<Eigen::MatrixXd> stiffening = {};

  /// y, m, in the axes of the body.
  Vec3 displaced(const Eigen::Ref<const Vector>& eta) const;
  /// Rotation vector of a frame in its own axes, rad.
  Vec3 rotated(const Eigen::Ref<const Vector>& eta) const;
};

/// How well a basis represents the body it was made from.
struct ReductionAccuracy {
  Vector frequencies;       ///< of the reduced body, free or clamped like its frame, ascending, Hz
  Vector full_frequencies;  ///< the lowest ones of the full body, as many as were computed, Hz
  /// Largest relative error of the displacement of an interface under a unit force or moment there, against the full
  /// body; 0 without interfaces.
  double static_error = 0.0;
  /// Effective mass of each mode of motion along the three axes of the frame, kg; all zero for a free body.
  Eigen::Matrix3Xd effective_masses;

  /// (frequency - full frequency) / full frequency of the modes of both.
  Vector frequency_errors() const;
};

struct ReducedBasis {
  std::string name;  ///< of the model it was made from

  double mass = 0.0;                                   ///< m, kg
  Vec3 first_moment = Vec3::Zero();                    ///< s_0, kg m
  Eigen::Matrix3Xd N;                                  ///< 3 x m, kg
  Mat3 inertia = Mat3::Zero();                         ///< J_0 about the origin of the frame, kg m2
  Eigen::Matrix<double, 6, Eigen::Dynamic> inertia_1;  ///< J_k, one per column
  std::array<Eigen::MatrixXd, 6> inertia_2;            ///< J_kl: symmetric m x m matrix of each component
  Eigen::Matrix3Xd L;                                  ///< L_0, 3 x m
  std::array<Eigen::MatrixXd, 3> L_1;                  ///< B_a, m x m
  Eigen::MatrixXd modal_mass;                          ///< M_ee, m x m
  Eigen::MatrixXd stiffness;                           ///< m x m
  Eigen::MatrixXd damping;                             ///< m x m; zero without damping

  /// Largest angular velocity for which the basis is meant, rad/s; infinity: any.
  double largest_spin = 0.0;
  bool has_spin_stiffening = false;  ///< whether J_kl contains the stiffening by centrifugal forces
  /// Largest force, N, and moment, N m, at an interface without `stiffening` for which the basis is meant, each in the
  /// absence of the other; infinity: any.
  double largest_force = std::numeric_limits<double>::infinity();
  double largest_moment = std::numeric_limits<double>::infinity();  ///< see largest_force

  std::vector<ReducedPoint> interfaces;  ///< where joints and loads are meant to act
  std::vector<ReducedPoint> nodes;       ///< all nodes of the full body with a position
  ReductionAccuracy accuracy;            ///< errors relative to the full body, where it was compared

  /// m, the number of modal coordinates.
  Index mode_count() const { return rows_of(stiffness); }
  /// The interface or node with this name. Throws ModelError if there is none.
  const ReducedPoint& point(std::string_view name) const;
  /// Throws ModelError that names what is missing, of the wrong size, not finite, not symmetric, or not positive.
  void check() const;
};

/// The data from which the inertia terms of a basis are computed.
struct ReducedShapes {
  std::string name;                 ///< of the basis, for messages
  std::vector<ReducedPoint> nodes;  ///< with their shapes
  std::vector<Index>
      first_row;  ///< of each node in `mass`: three translations in body axes, then rotations of frames
  /// Mass matrix of the full body at eta = 0, by columns: row, column, value.
  struct Entry {
    Index row;     ///< of the full mass matrix
    Index column;  ///< of the full mass matrix
    double value;  ///< kg, kg m or kg m2
  };
  std::vector<Entry> mass;  ///< all entries, both triangles
  Index size = 0;           ///< number of rows of `mass`
};

/// A basis with all inertia terms; stiffness and damping are zero, and interfaces are empty. Throws ModelError for
/// entries out of range.
ReducedBasis make_reduced_basis(const ReducedShapes& shapes);

/// The symmetric matrix with these components.
Mat3 symmetric3(const Symmetric3& components);
/// The components c with a . S b = c . symmetric3_factors(a, b) for every symmetric S.
Symmetric3 symmetric3_factors(const Vec3& a, const Vec3& b);

}  // namespace picus
