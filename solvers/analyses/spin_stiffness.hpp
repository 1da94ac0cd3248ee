#pragma once

/// Geometric stiffness of a part that turns at a constant rate about a point, the origin of its frame: what the stresses of centrifugal forces add to the
/// stiffness of its shapes.

#include <picus/sparse_matrix.hpp>
#include <picus/system.hpp>

#include <array>
#include <functional>

namespace picus::solvers {

/// The static displacement, natural layout, under these forces, natural layout.
using StaticResponse = std::function<Vector(const Vector& force)>;

/// For Omega Omega^T = S with one component xx, yy, zz, xy, yz, zx of S equal to 1 (with its mirror): the matrix K_G of
/// shapes, relative to the squared angular velocity.
using SpinStiffness = std::array<Eigen::MatrixXd, 6>;

/// K_G(u)_kl = d3V[u, phi_k, phi_l] with the potential V of all forces and the static response u, from central differences
/// of the forces at rest. `shapes` in natural layout, one column each.
SpinStiffness find_spin_stiffness(const System& system, const SparseMatrix& mass, const Vec3& origin,
                                  const Eigen::MatrixXd& shapes, const StaticResponse& respond);

}  // namespace picus::solvers
