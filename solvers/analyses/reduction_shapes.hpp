#pragma once

/// User-defined shapes, on the nodes of a part.

#include <picus/solvers/analyses/reduction_interfaces.hpp>

#include <vector>

namespace picus::solvers {

/// One column per shape, natural layout. Throws ModelError for a shape that moves a fixed component, deforms a rigid
/// interface, moves nothing, is not finite, or has no rotation for a frame.
Eigen::MatrixXd given_shapes(const System& system, const std::vector<PartInterface>& interfaces,
                             const std::vector<ReductionShape>& shapes);

/// Subtracts from each column the rigid motion of an interface, a frame.
void hold_interface(const System& system, const PartInterface& frame, Eigen::MatrixXd& shapes);

}  // namespace picus::solvers
