#pragma once

/// Vibrations within the span of given shapes (the Ritz method).

#include <picus/types.hpp>

#include <string>

namespace picus::solvers {

/// Replaces shapes x, of which M x and K x are given, by combinations that are orthogonal in K and M and have unit masses,
/// with ascending eigenvalues; linearly dependent directions are left out. Returns the eigenvalues, 1/s2. Throws
/// SolverError for a shape without mass, of the part with this name.
Vector orthogonalize(Eigen::MatrixXd& shapes, Eigen::MatrixXd M_shapes, Eigen::MatrixXd K_shapes,
                     const std::string& part);

}  // namespace picus::solvers
