#pragma once

/// The geometric stiffness of a part's shapes due to static stresses.

#include <picus/system.hpp>

#include <vector>

namespace picus::solvers {

/// Geometric stiffness along several static displacements.
struct GeometricStiffness {
  std::vector<Eigen::MatrixXd> of;  ///< K_G, m x m, of each displacement
  bool forces_are_linear = false;   ///< the forces of the part have no geometric stiffness
};

/// K_G(u)_kl = d3V[u, phi_k, phi_l] with the potential V of all forces as a function of displacements and rotation
/// vectors, from central differences of the forces at rest. `displacements` and `shapes` in natural layout, one column
/// each.
GeometricStiffness find_geometric_stiffness(const System& system, const Eigen::MatrixXd& displacements,
                                            const Eigen::MatrixXd& shapes);

}  // namespace picus::solvers
