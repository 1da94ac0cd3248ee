#pragma once

#include <picus/checks.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus::solids {

/// Throws ModelError unless these are eight different nodes of the model.
void require_nodes(const Culprit& who, const std::array<PointNode, 8>& nodes, const Model& model);

/// Throws ModelError if an element is inverted or degenerate; the message names the corner with the smallest Jacobian
/// and its node.
void require_volume(const Culprit& who, const std::array<PointNode, 8>& nodes, const Corners& X,
                    const Model& model);

/// For Limited::fault(): the corner or Gauss point at which a deformed element with these corners has a Jacobian that is
/// not positive; else empty.
std::string volume_fault(const Corners& x);

}  // namespace picus::solids
