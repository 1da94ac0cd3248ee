#pragma once

/// Rigid bodies as boxes: nobody said what a body looks like, but the cuboid of uniform density that has its mass and
/// inertia tells its place, size and orientation.
///
///     I_i = m/3 (a_j^2 + a_k^2)   =>   a_i^2 = 3/(2 m) (I_j + I_k - I_i)
///
/// with the half edges a_i along the principal axes and the principal moments I_i about the centre of mass.
///
/// A body that is held in the plane x-y has I_z alone, whatever else it was given: a_x^2 + a_y^2 = 3 I_z/m and a_z = 0, with
/// edges in proportion to the reach of its drawn points.

#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <vector>

namespace picus::results {

struct Box {
  FrameNode node;
  Vec3 centre;  ///< of mass, in the axes of the node, m
  Vec3 half;    ///< half edges, >= 0, the largest > 0, m
  Mat3 axes;    ///< their directions in the axes of the node as columns, right-handed
};

/// The boxes of all frame nodes that carry mass by elements on that node alone, taken together. Left out are nodes
/// without extent, and those whose mass is not that of a rigid body. `points` are those that are drawn.
std::vector<Box> find_boxes(const Model& model, const std::vector<MaterialPoint>& points);

}  // namespace picus::results
