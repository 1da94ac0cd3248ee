#pragma once

/// Surfaces of quadrilaterals, each cut into two triangles, and what touches them.
///
/// A point touches a triangle where it is locally nearest to the surface: above a convex edge one of both, in a concave corner each of
/// them. Below, inside, the least depth counts, as for a convex body, down to a limit: half of the shortest border of the
/// face, since a layer of hexahedra is about as thick as its faces are wide, and below its middle the other side is nearer.

#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/types.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace picus {

/// How the triangles of a surface hang together. Of quadrilaterals face f has the triangles 2 f and 2 f + 1, of its vertices
/// 0, 1, 2 and 0, 2, 3.
struct TriangleMesh {
  /// A border of quadrilaterals.
  struct Edge {
    std::array<Index, 2> vertices{};   ///< from, to
    std::array<Index, 2> triangles{};  ///< on its left as seen from outside, and on its right; -1: none
  };
  /// Of a triangle, from its vertex k to the next.
  struct Side {
    Index edge = -1;       ///< -1: the diagonal of a quadrilateral
    Index neighbour = -1;  ///< the triangle beyond; -1: none
  };

  std::vector<std::array<Index, 3>> triangles;   ///< vertices, counter-clockwise from outside
  std::vector<std::array<Side, 3>> sides;        ///< of each triangle
  std::vector<Edge> edges;                       ///< each once; diagonals are none
  std::vector<std::vector<Index>> triangles_at;  ///< of each vertex
  /// Of each triangle, how far below it (m) a point is inside; empty: half of the shorter one of its sides that are no diagonal.
  std::vector<double> depths = {};

  /// Throws ModelError for a face that has a vertex twice, and for an edge with more than two faces, or with two that have their
  /// outsides on different sides.
  static TriangleMesh of_quadrilaterals(std::span<const std::array<Index, 4>> faces, Index vertex_count);
};

/// A triangle at some configuration.
struct PlacedTriangle {
  Index index = 0;                ///< in the mesh
  std::array<Vec3, 3> corners{};  ///< m
};

/// Where a triangle is nearest to a point.
struct NearestOnTriangle {
  /// On which part of it.
  enum class Part {
    inside,  ///< of its face
    side,    ///< between two corners
    corner,  ///< one of three
  };
  Part part = Part::inside;     ///< a point over a border, to 1e-9 of its size, is inside
  Index index = 0;              ///< which side or corner
  Vec3 point = Vec3::Zero();    ///< m
  Vec3 normal = Vec3::UnitZ();  ///< of the triangle, outward, unit
  double height = 0.0;          ///< of the point asked for above its plane, m
  double distance = 0.0;        ///< from `point`, m, >= 0
};
/// Of a triangle with these corners (m), counter-clockwise from outside.
NearestOnTriangle find_nearest(const std::array<Vec3, 3>& corners, const Vec3& point);

/// A point that may touch a surface.
struct TouchingPoint {
  Vec3 position = Vec3::Zero();  ///< m
  double radius = 0.0;           ///< m; 0: sharp, so it touches triangles only
  /// Outward normals of the faces about a corner. A sharp point touches only what one of them, or their mean, is turned to; all
  /// if there are none.
  std::vector<Vec3> normals = {};
};

/// Whether it may touch a face with this outward normal.
bool is_turned_to(const TouchingPoint& point, const Vec3& normal);

/// What it touches of a mesh.
struct MeshTouch {
  ShapeFeature feature;         ///< a face is a triangle
  double gap = 0.0;             ///< m; for a face above its plane
  Vec3 point = Vec3::Zero();    ///< on the mesh, m
  Vec3 normal = Vec3::UnitZ();  ///< to the point
};

/// What counts.
struct MeshTouchOptions {
  double reach = 0.0;  ///< m, >= 0: what is farther away is not listed
  double size = 0.0;   ///< m, to which tolerances refer
  /// Whether triangles that are nearly in one plane are listed all where they meet below a point, in place of the lowest one.
  bool all = false;
  std::span<const ShapeFeature> kept = {};  ///< of choices that are as good, these
};

/// Of the `triangles` of a mesh, those near a point. Each once.
std::vector<MeshTouch> find_touched(const TriangleMesh& mesh, std::span<const PlacedTriangle> triangles,
                                    const TouchingPoint& point, const MeshTouchOptions& options);

/// Which triangle a point passes first on its way from outside to deeper than options.reach below, if it does: both sets of
/// triangles are the same ones, at begin and end, where all moves straight on.
std::optional<Index> find_passed(std::span<const PlacedTriangle> begin, std::span<const PlacedTriangle> end,
                                 const TouchingPoint& from, const TouchingPoint& to,
                                 const MeshTouchOptions& options);

/// An edge with the faces beside it.
struct EdgeOfFaces {
  Vec3 from = Vec3::Zero();       ///< m
  Vec3 to = Vec3::Zero();         ///< m
  std::array<Vec3, 2> normals{};  ///< outward, of the face on its left and of that on its right; zero: none
};

/// Two edges that cross.
struct EdgeCrossing {
  double gap = 0.0;             ///< m
  Vec3 normal = Vec3::UnitZ();  ///< from b to a, unit
  Vec3 point = Vec3::Zero();    ///< on b, m
  bool is_along = false;        ///< whether n is along e_a x e_b, or against it
};

/// An edge `a` of another body, rounded by a radius, across an edge `b` of a mesh, whose faces tell which side is out:
/// nothing unless the closest points are within both, and n points out of b, and into a (to 30 degrees from the normals that
/// these edges have, or 3 where the face ends). One is not so deep in the other that an end of theirs is nearer.
std::optional<EdgeCrossing> find_edge_crossing(const EdgeOfFaces& a, double radius, const EdgeOfFaces& b);

}  // namespace picus
