#pragma once

/// Decompositions of small dense matrices, compiled once: each takes the compiler seconds wherever it is used.

#include <picus/types.hpp>

namespace picus::support {

/// The singular values in descending order.
Vector singular_values(const Eigen::MatrixXd& A);

/// The eigenvalues of a symmetric matrix in ascending order.
Vector symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// The largest magnitude of an eigenvalue.
double spectral_radius(const Eigen::MatrixXd& A);

/// The rotation by the smallest angle that takes the direction of one vector to that of the other.
Mat3 rotation_between(const Vec3& from, const Vec3& to);

}  // namespace picus::support
