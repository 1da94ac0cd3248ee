#pragma once

/// Edges of surfaces that touch each other.

#include <picus/types.hpp>

#include <array>
#include <limits>
#include <optional>

namespace picus {

/// An edge with its adjacent faces.
struct EdgeOfFaces {
  Vec3 from = Vec3::Zero();  ///< m
  Vec3 to = Vec3::Zero();    ///< m
  std::array<Vec3, 2> normals = {
      Vec3::Zero(), Vec3::Zero()};  ///< outward, of the faces on its left and on its right; zero: none
  /// Depth below these faces down to which a point counts as inside, m.
  std::array<double, 2> depths = {std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::infinity()};
};

/// Two edges that cross.
struct EdgeCrossing {
  double gap = 0.0;             ///< m
  Vec3 normal = Vec3::UnitZ();  ///< from b to a, unit
  Vec3 point = Vec3::Zero();    ///< on b, m
  bool is_along = false;        ///< whether n is along e_a x e_b rather than opposite to it
};

/// An edge `a` of another body, rounded by a radius, and an edge `b` of a mesh, whose adjacent faces define the
/// outside. Empty unless the closest points are within both edges, and n points out of b and into a (within 30
/// degrees of the normals that these edges have, 3 degrees next to a face and at edges sharper than 90 degrees), and
/// the penetration is less than the distance of the closest points from the ends, with neither of these points below
/// the depths of the other edge.
std::optional<EdgeCrossing> find_edge_crossing(const EdgeOfFaces& a, double radius, const EdgeOfFaces& b);

/// Whether the lines of two edges, with n as given by `is_along`, are on the wrong sides of each other, so far that they
/// cannot have come there by touching: a point of one is below the depths of the other.
bool are_beyond(const EdgeOfFaces& a, const EdgeOfFaces& b, bool is_along);

}  // namespace picus
