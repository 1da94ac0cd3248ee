#pragma once

/// Gradients of material points, from which the elements of the tests are built. Nothing allocates.

#include <picus/material_point.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>

namespace picus::support {

/// A matrix on the stack with up to 12 rows and columns: an element of two nodes.
using LocalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 12, 12>;
using LocalGradient = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 12>;
using LocalVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 12, 1>;

inline auto as_matrix(std::span<double> storage, Index rows, Index columns) {
  return Eigen::Map<Eigen::MatrixXd>(storage.data(), rows, columns);
}
inline auto as_vector(std::span<double> storage) {
  return Eigen::Map<Vector>(storage.data(), storage.size());
}
inline auto as_vector(std::span<const double> storage) {
  return Eigen::Map<const Vector>(storage.data(), storage.size());
}

/// A with dx_P = A dq: [I, -R X^] or I.
inline LocalGradient position_gradient(const MaterialPoint& point, const Configuration& q) {
  LocalGradient A(3, point.dof_count());
  A.leftCols<3>() = Mat3::Identity();
  if (point.on_frame()) A.rightCols<3>() = -q.rotation(point.node) * so3::skew(point.offset);
  return A;
}

/// d(A^T f)/dq with f held constant: the moment X x R^T f rotates with the frame.
inline LocalMatrix geometric_stiffness(const MaterialPoint& point, const Configuration& q, const Vec3& f) {
  LocalMatrix K = LocalMatrix::Zero(point.dof_count(), point.dof_count());
  if (point.on_frame()) {
    K.bottomRightCorner<3, 3>() = so3::skew(point.offset) * so3::skew(q.rotation(point.node).transpose() * f);
  }
  return K;
}

/// d(A v)/dq with the local velocities v held constant.
template <class Velocity>
LocalGradient rate_jacobian(const MaterialPoint& point, const Configuration& q, const Velocity& v) {
  LocalGradient H = LocalGradient::Zero(3, point.dof_count());
  if (point.on_frame()) {
    const Vec3 omega = v.template tail<3>();
    H.rightCols<3>() = -q.rotation(point.node) * so3::skew(omega.cross(point.offset));
  }
  return H;
}

}  // namespace picus::support
