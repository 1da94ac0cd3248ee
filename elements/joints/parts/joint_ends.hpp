#pragma once

/// What the parts of joints share: the two ends, and where they write.
///
/// A joint is a list of parts. Each part is one or a few equations between two ends A and B, and knows its
/// violation, its gradient and its two second derivatives. An end is a frame node, a point node (which never
/// turns) or the ground; a part writes into the columns of the velocity components that an end has.
///
/// Equations of orientation are written in the axes of A, with the relative rotation P = R_A^T R_B:
///
///     a row n . (Omega_A - P Omega_B) has the entries n^T in the columns of A and -(P^T n)^T in those of B

#include <picus/configuration.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/node.hpp>
#include <picus/types.hpp>

#include <array>

namespace picus {

/// A local matrix of the joint: its rows are equations (gradients) or velocity components (stiffness).
using JointMatrix = Eigen::Map<Eigen::MatrixXd>;

/// An end at one configuration, which it refers to.
struct JointPose {
  Eigen::Map<const Vec3> x;  ///< position in the inertial frame, m
  Eigen::Map<const Mat3> R;  ///< body axes to inertial axes
  Index u;                   ///< first local component of its translation, -1: none (ground)
  Index Omega;               ///< first local component of its rotation, -1: none (ground, point)

  /// Its part of the local velocities v, rad/s in body axes.
  Vec3 angular_velocity(std::span<const double> v) const {
    return Omega < 0 ? Vec3(Vec3::Zero()) : Vec3(Eigen::Map<const Vec3>(v.data() + Omega));
  }
};

class JointEnd {
 public:
  /// The ground: the inertial frame.
  JointEnd() = default;
  /// A node whose velocity components begin at local component `first`.
  JointEnd(const Node& node, Index first) : node_(node), first_(first) {}

  JointPose pose(const Configuration& q) const {
    static constexpr std::array<double, 3> origin{};
    static constexpr std::array<double, 9> no_rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
    const Eigen::Map<const Mat3> identity(no_rotation.data());
    if (!node_.valid()) return {Eigen::Map<const Vec3>(origin.data()), identity, -1, -1};
    if (node_.kind != NodeKind::frame) return {q.position(node_), identity, first_, -1};
    return {q.position(node_), q.rotation(node_), first_, first_ + 3};
  }

 private:
  Node node_;
  Index first_ = -1;
};

/// Both ends at one configuration, which it refers to.
struct JointPlace {
  JointPlace(const JointEnd& a, const JointEnd& b, const Configuration& q)
      : A(a.pose(q)), B(b.pose(q)), P(A.R.transpose() * B.R) {}

  JointPose A;
  JointPose B;
  Mat3 P;  ///< axes of B to axes of A
};

/// Writes the row n . (Omega_A - P Omega_B), n in the axes of A.
inline void write_turning_row(const JointPlace& at, const Vec3& n, Index row, JointMatrix& G) {
  if (at.A.Omega >= 0) G.block<1, 3>(row, at.A.Omega) = n.transpose();
  if (at.B.Omega >= 0) G.block<1, 3>(row, at.B.Omega).noalias() = -n.transpose() * at.P;
}

}  // namespace picus
