#pragma once

/// What the parts of joints share: the two ends, and where they write.
///
/// A joint is a list of parts. Each part is one or a few equations between two ends A and B, and knows its
/// violation, its gradient and the two second derivatives. An end is a frame node, a point node (which never
/// turns) or the ground; a part writes into the columns of the velocity components that an end has. Rates of
/// turning are measured in the axes of the end: a row n . (omega_A - omega_B), n and omega in inertial axes,
/// has the entries R_A^T n in the columns of A and -R_B^T n in those of B.

#include <picus/configuration.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/node.hpp>
#include <picus/types.hpp>

namespace picus {

/// A local matrix of the joint: rows are its equations (gradients) or its velocity components (stiffness).
using JointMatrix = Eigen::Map<Eigen::MatrixXd>;

/// An end at one configuration.
struct JointPose {
  Vec3 x;       ///< position in the inertial frame, m
  Mat3 R;       ///< body axes to inertial axes
  Index u;      ///< first local component of its translation, -1: none (ground)
  Index Omega;  ///< first local component of its rotation, -1: none (ground, point)

  /// Its angular velocity in body axes, of the local velocities v.
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

  const Node& node() const { return node_; }

  JointPose pose(const Configuration& q) const {
    if (!node_.valid()) return {Vec3::Zero(), Mat3::Identity(), -1, -1};
    if (node_.kind != NodeKind::frame) return {q.position(node_), Mat3::Identity(), first_, -1};
    return {q.position(node_), q.rotation(node_), first_, first_ + 3};
  }

 private:
  Node node_;
  Index first_ = -1;
};

/// Writes the row n . (omega_A - omega_B).
inline void write_turning_row(const JointPose& A, const JointPose& B, const Vec3& n, Index row,
                              JointMatrix& G) {
  if (A.Omega >= 0) G.block<1, 3>(row, A.Omega).noalias() = n.transpose() * A.R;
  if (B.Omega >= 0) G.block<1, 3>(row, B.Omega).noalias() = -n.transpose() * B.R;
}

}  // namespace picus
