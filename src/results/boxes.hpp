#pragma once

/// Rigid bodies as boxes: the shape of a body is not known, but the cuboid of uniform density with its mass and inertia
/// shows its position, size and orientation.
///
///     I_i = m/3 (a_j^2 + a_k^2)   =>   a_i^2 = 3/(2 m) (I_j + I_k - I_i)
///
/// with the half edges a_i along the principal axes and the principal moments I_i about the centre of mass.
///
/// For a body restricted to the x-y plane only I_z is used, whatever its other moments: a_x^2 + a_y^2 = 3 I_z/m and
/// a_z = 0, with edges in proportion to the extent of its drawn points.

#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <vector>

namespace picus::results {

struct Box {
  FrameNode node;
  Vec3 centre;  ///< centre of mass, in the axes of the node, m
  Vec3 half;    ///< half edges, >= 0, the largest > 0, m
  Mat3 axes;    ///< directions of the edges in the axes of the node as columns, right-handed
};

/// The boxes of all frame nodes with mass of elements on that node only, combined. Nodes without extent, and those
/// whose mass matrix is not that of a rigid body, are omitted. `points` are the drawn points.
std::vector<Box> find_boxes(const Model& model, const std::vector<MaterialPoint>& points);

}  // namespace picus::results
