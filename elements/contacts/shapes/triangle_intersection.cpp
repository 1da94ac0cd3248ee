// Intersections between the triangles of a mesh.

#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/elements/contacts/shapes/polyhedron.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus {
namespace {

/// Whether the projections of the triangles on this axis, of any length, are disjoint or overlap by at most
/// `tolerance`.
bool separates(const Vec3& axis, const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
               double tolerance) {
  const double length = axis.norm();
  if (!(length > 0)) return false;
  const auto extent = [&](const std::array<Vec3, 3>& corners) {
    const auto [low, high] = std::minmax({axis.dot(corners[0]), axis.dot(corners[1]), axis.dot(corners[2])});
    return std::pair(low, high);
  };
  const auto [low_a, high_a] = extent(a);
  const auto [low_b, high_b] = extent(b);
  return std::min(high_a - low_b, high_b - low_a) <= tolerance * length;
}

Vec3 side_of(const std::array<Vec3, 3>& corners, std::size_t k) {
  return corners[(k + 1) % 3] - corners[k];
}

}  // namespace

// Separating axes: two triangles that at most touch are separated by one of their normals, by the cross product of
// two sides, or, if coplanar, by the normals of the sides in the plane.
bool do_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double tolerance) {
  const Vec3 normal_a = side_of(a, 0).cross(side_of(a, 1));
  const Vec3 normal_b = side_of(b, 0).cross(side_of(b, 1));
  if (separates(normal_a, a, b, tolerance) || separates(normal_b, a, b, tolerance)) {
    const auto is_in_plane = [&](const Vec3& normal, const Vec3& x, const std::array<Vec3, 3>& corners) {
      return std::ranges::all_of(corners, [&](const Vec3& corner) {
        return std::abs(normal.dot(corner - x)) <= tolerance * normal.norm();
      });
    };
    if (!is_in_plane(normal_a, a[0], b) && !is_in_plane(normal_b, b[0], a)) return false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (separates(normal_a.cross(side_of(a, k)), a, b, tolerance)) return false;
      if (separates(normal_b.cross(side_of(b, k)), a, b, tolerance)) return false;
    }
    return true;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (separates(side_of(a, i).cross(side_of(b, k)), a, b, tolerance)) return false;
    }
  }
  return true;
}

std::optional<std::array<Index, 2>> find_intersection(std::span<const Vec3> vertices,
                                                      std::span<const std::array<Index, 3>> triangles,
                                                      double tolerance) {
  const auto corners_of = [&](Index t) {
    const auto& [i, j, k] = triangles[t];
    return std::array{vertices[i], vertices[j], vertices[k]};
  };
  std::vector<Box> boxes(triangles.size());
  for (Index t = 0; t < count_of(triangles); ++t) {
    for (const Vec3& x : corners_of(t)) boxes[t].extend(x);
  }
  BoxTree tree;
  tree.build(boxes);
  std::vector<std::array<Index, 2>> pairs;
  tree.find_pairs(pairs);
  const auto found = std::ranges::find_if(pairs, [&](const auto& pair) {
    return do_intersect(corners_of(pair[0]), corners_of(pair[1]), tolerance);
  });
  return found == pairs.end() ? std::nullopt : std::optional(*found);
}

}  // namespace picus
