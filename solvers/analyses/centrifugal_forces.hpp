#pragma once

/// The centrifugal forces on a part that rotates at a constant rate about a point, the origin of its frame.

#include <picus/sparse_matrix.hpp>
#include <picus/system.hpp>

namespace picus::solvers {

/// For Omega Omega^T = S with one component xx, yy, zz, xy, yz, zx of S equal to 1 (with its mirror): the centrifugal
/// forces, relative to the squared angular velocity, natural layout, one column for each component.
Eigen::MatrixXd find_centrifugal_forces(const System& system, const SparseMatrix& mass, const Vec3& origin);

}  // namespace picus::solvers
