#pragma once

/// Rotations of interfaces to second order. Shapes move the nodes of a rigid interface linearly, by theta x r; a
/// rotation by theta displaces them in addition by 1/2 theta x (theta x r), on which nodal forces do work.

#include <picus/solvers/analyses/reduction_interfaces.hpp>

namespace picus::solvers {

/// For a rigid interface that `nodal_force` supports or loads (natural layout): the work of second order on its nodes,
/// m x m, for the shapes (natural layout). Zero for others.
Eigen::MatrixXd rigid_rotation_work(const PartInterface& one, const Configuration& q,
                                    const Vector& nodal_force, const Eigen::MatrixXd& shapes);

/// The second derivatives of each displacement of an interface with respect to the shapes' coordinates, m x m each, as
/// far as they stem from its own definition: where its position differs from that of its node or the mean of its nodes,
/// and for the mean rotation of nodes. Zero for rigid ones.
std::vector<Eigen::MatrixXd> second_displacements(const PartInterface& one, const Configuration& q,
                                                  const Eigen::MatrixXd& shapes);

/// Those of the three translations of a node of a rigid interface, which rotates about the interface's position. Zero
/// for others.
std::vector<Eigen::MatrixXd> second_displacements_of_node(const PartInterface& one, const Node& node,
                                                          const Configuration& q,
                                                          const Eigen::MatrixXd& shapes);

}  // namespace picus::solvers
