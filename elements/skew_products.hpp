#pragma once

/// Products with skew matrices (a^ b = a x b), written out because a general product would multiply zeros.

#include <picus/types.hpp>

#include <Eigen/Geometry>

namespace picus {

/// R a^ for a 3 x 3 matrix R.
template <class Derived>
Mat3 times_skew(const Eigen::MatrixBase<Derived>& R, const Vec3& a) {
  Mat3 product;
  product.col(0) = a.z() * R.col(1) - a.y() * R.col(2);
  product.col(1) = a.x() * R.col(2) - a.z() * R.col(0);
  product.col(2) = a.y() * R.col(0) - a.x() * R.col(1);
  return product;
}

/// a^ b^ = b a^T - (a . b) I
inline Mat3 skew_times_skew(const Vec3& a, const Vec3& b) {
  Mat3 product = b * a.transpose();
  product.diagonal().array() -= a.dot(b);
  return product;
}

}  // namespace picus
