#pragma once

/// The geometric stiffness of a reduced body due to the stresses of a steady spin and of forces at interfaces and
/// nodes.

#include <picus/solvers/analyses/reduction_interfaces.hpp>
#include <picus/sparse_matrix.hpp>

#include <functional>

namespace picus::solvers {

/// The static response of a part to forces, natural layout.
struct StaticResponse {
  Vector displacement;  ///< without rigid motion for a free part
  Vector nodal_force;   ///< the forces and those of ties, without the inertia that balances them
  double work;          ///< u . K u
};

/// The data that determine the stiffening of a part.
struct StiffeningData {
  const System& system;
  const SparseMatrix& mass;
  const std::vector<PartInterface>& interfaces;  ///< those of the basis, in its order
  Index frame;                                   ///< the interface that is the frame, or -1
  const std::vector<Node>& loaded_nodes;         ///< nodes of the part whose forces also stiffen it
  const Eigen::MatrixXd& shapes;                 ///< natural layout
  std::function<StaticResponse(const Vector& force)> respond;
};

/// Adds the stiffening by spin, by forces at interfaces and by those at loaded nodes to a basis, the former two if
/// requested, and all of them only if the forces of the part have a geometric stiffness; the interface that is the
/// frame needs none, as forces there do not deform the body.
void add_stiffening(ReducedBasis& basis, const StiffeningData& data, bool by_spin, bool by_interfaces);

/// The largest spin, force and moment of a basis without stiffening: where w^2 of its lowest mode is about 1 % off.
void limit_loads(ReducedBasis& basis, bool is_free);

}  // namespace picus::solvers
