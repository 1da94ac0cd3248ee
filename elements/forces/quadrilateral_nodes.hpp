#pragma once

/// The nodes of a loaded face; its equations are in quadrilateral_face.hpp.

#include <picus/node.hpp>

#include <array>

namespace picus {

/// Four nodes, counterclockwise as seen from the side on which the load acts.
using QuadrilateralNodes = std::array<PointNode, 4>;

}  // namespace picus
