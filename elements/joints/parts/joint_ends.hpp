#pragma once

/// Common to the parts of joints: the two ends, and the rows and columns they write to.
///
/// A joint is a list of parts. Each part is one or a few equations between two ends A and B, and computes its
/// violation, its gradient and its two second derivatives. An end is a point of a frame node, a point node (which has
/// no rotation) or a point of the ground; a part writes to the columns of those velocity components that an end has.
///
///     p = x + R X                                 the joint's point at an end, X in the axes of the end
///     d = p_B - p_A,   D = R_A^T d                separation, in inertial axes and in those of A
///     P = R_A^T R_B                               relative rotation: axes of B to axes of A
///
/// Rows with n in inertial axes and m in the axes of A:
///
///     n . (dp_B - dp_A)         n^T, -(X_A x R_A^T n)^T, -n^T and (X_B x R_B^T n)^T in the columns of
///                               u_B, Omega_A, u_A and Omega_B
///     m . (Omega_A - P Omega_B) m^T in the columns of Omega_A and -(P^T m)^T in those of Omega_B

#include <picus/elements/joints/parts/joint_end.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/types.hpp>

#include <algorithm>
#include <array>

namespace picus {

/// A local matrix of the joint: its rows are equations (gradients) or velocity components (stiffness).
using JointMatrix = Eigen::Map<Eigen::MatrixXd>;

/// An end at one configuration; holds references to it.
struct JointPose {
  Eigen::Map<const Vec3> x;  ///< position in the inertial frame, m
  Eigen::Map<const Mat3> R;  ///< body axes to inertial axes
  Vec3 X;                    ///< the joint's point in body axes, m
  Index u;                   ///< first local component of its translation, -1: none (ground)
  Index Omega;               ///< first local component of its rotation, -1: none (ground, point)

  Vec3 velocity(JointVelocity v) const { return part(u, v); }
  Vec3 angular_velocity(JointVelocity v) const { return part(Omega, v); }
  /// One past the last local component of the end.
  Index end() const { return Omega >= 0 ? Omega + 3 : u >= 0 ? u + 3 : 0; }
  /// dp/dt in inertial axes.
  Vec3 point_velocity(JointVelocity v) const { return velocity(v) + R * angular_velocity(v).cross(X); }

 private:
  static Vec3 part(Index first, JointVelocity v) {
    return first < 0 ? Vec3(Vec3::Zero()) : Vec3(Eigen::Map<const Vec3>(v.data() + first));
  }
};

inline JointPose JointEnd::pose(const Configuration& q) const {
  static constexpr std::array<double, 3> origin{};
  static constexpr std::array<double, 9> no_rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Eigen::Map<const Mat3> identity(no_rotation.data());
  const Vec3& X = point_.offset;
  if (point_.is_ground()) return {Eigen::Map<const Vec3>(origin.data()), identity, X, -1, -1};
  if (!point_.on_frame()) return {q.position(point_.node), identity, X, first_, -1};
  return {q.position(point_.node), q.rotation(point_.node), X, first_, first_ + 3};
}

/// Both ends at one configuration; holds references to it.
struct JointKinematics {
  JointKinematics(const JointEnd& a, const JointEnd& b, const Configuration& configuration)
      : q(configuration), A(a.pose(q)), B(b.pose(q)), P(A.R.transpose() * B.R) {}

  const Configuration& q;
  JointPose A;
  JointPose B;
  Mat3 P;  ///< from axes of B to axes of A

  /// d, m.
  Vec3 separation() const { return B.x + B.R * B.X - A.x - A.R * A.X; }
  /// dd/dt, m/s.
  Vec3 separation_rate(JointVelocity v) const { return B.point_velocity(v) - A.point_velocity(v); }
  /// D, m.
  Vec3 separation_in_axes() const { return A.R.transpose() * separation(); }
  /// Local components of both ends; those of scalars come after them.
  Index end_dof_count() const { return std::max(A.end(), B.end()); }
  /// Omega_A - P Omega_B, rad/s: the angular velocity of A relative to B, in the axes of A.
  Vec3 relative_angular_velocity(JointVelocity v) const {
    return A.angular_velocity(v) - P * B.angular_velocity(v);
  }
};

inline double JointScalar::value(const JointKinematics& at) const {
  return at.q.value(node);
}
inline double JointScalar::rate(JointVelocity v) const {
  return v[column];
}

/// Adds the row m . (Omega_A - P Omega_B), m in the axes of A.
inline void add_rotation_row(const JointKinematics& at, const Vec3& m, Index row, JointMatrix& G) {
  if (at.A.Omega >= 0) G.block<1, 3>(row, at.A.Omega) += m.transpose();
  if (at.B.Omega >= 0) G.block<1, 3>(row, at.B.Omega).noalias() -= m.transpose() * at.P;
}

/// Adds the row n . (dp_B - dp_A), n in inertial axes.
inline void add_separation_row(const JointKinematics& at, const Vec3& n, Index row, JointMatrix& G) {
  const auto& A = at.A;
  const auto& B = at.B;
  if (A.u >= 0) G.block<1, 3>(row, A.u) -= n.transpose();
  if (B.u >= 0) G.block<1, 3>(row, B.u) += n.transpose();
  if (A.Omega >= 0) G.block<1, 3>(row, A.Omega) -= A.X.cross(A.R.transpose() * n).transpose();
  if (B.Omega >= 0) G.block<1, 3>(row, B.Omega) += B.X.cross(B.R.transpose() * n).transpose();
}

/// Adds d(n . (dp_B - dp_A)/dt)/dq with n and the velocities held constant.
inline void add_separation_rate_row(const JointKinematics& at, const Vec3& n, JointVelocity v, Index row,
                                    JointMatrix& H) {
  const auto& A = at.A;
  const auto& B = at.B;
  if (A.Omega >= 0) {
    H.block<1, 3>(row, A.Omega) -= A.angular_velocity(v).cross(A.X).cross(A.R.transpose() * n).transpose();
  }
  if (B.Omega >= 0) {
    H.block<1, 3>(row, B.Omega) += B.angular_velocity(v).cross(B.X).cross(B.R.transpose() * n).transpose();
  }
}

}  // namespace picus
