#pragma once

/// The nodes of a loaded face; quadrilateral_face.hpp has its equations.

#include <picus/node.hpp>

#include <array>

namespace picus {

/// Four nodes, counterclockwise as seen from the side that the load comes from.
using QuadrilateralNodes = std::array<PointNode, 4>;

}  // namespace picus
