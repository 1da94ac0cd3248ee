#pragma once

/// Eigenvalues of small symmetric matrices that users give: inertias, stiffnesses, dampings.

#include <picus/types.hpp>

namespace picus {

/// Eigenvalues, ascending, of a symmetric matrix, of which the lower triangle is read.
Vec3 principal_values(const Mat3& symmetric);
/// The same.
Eigen::Matrix<double, 6, 1> principal_values(const Eigen::Matrix<double, 6, 6>& symmetric);

/// The smallest eigenvalue of a symmetric matrix that is scaled to a unit diagonal, so that units do not matter. Rows
/// whose diagonal entry is not positive are not scaled.
double smallest_scaled_eigenvalue(const Mat3& symmetric);
/// The same.
double smallest_scaled_eigenvalue(const Eigen::Matrix<double, 6, 6>& symmetric);

}  // namespace picus
