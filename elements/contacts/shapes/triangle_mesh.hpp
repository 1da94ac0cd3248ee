#pragma once

/// Surfaces of quadrilaterals, each divided into two triangles, and the points in contact with them.
///
/// A point contacts a triangle where the distance to the surface has a local minimum: above a convex edge one of the
/// two, in a concave corner each of them. For a point inside, the smallest depth counts, as for a convex body, down
/// to a limit of half the shortest edge of the face, since a layer of hexahedra is about as thick as its faces are
/// wide, and below its middle the other side is closer. A body may be thinner: a point is not inside if the way from it
/// out through the face enters the body first.

#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/types.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace picus {

/// Solid angle of a triangle seen from x, sr; positive from inside a body, around which all of them add up to 4 pi
/// [van Oosterom and Strackee 1983].
double solid_angle(const std::array<Vec3, 3>& corners, const Vec3& x);

/// Connectivity of the triangles of a surface. For quadrilaterals, face f has the triangles 2 f and 2 f + 1, with its
/// vertices 0, 1, 2 and 0, 2, 3.
struct TriangleMesh {
  /// An edge of the surface; not a diagonal of a quadrilateral.
  struct Edge {
    std::array<Index, 2> vertices{};   ///< from, to
    std::array<Index, 2> triangles{};  ///< on its left as seen from outside, and on its right; -1: none
  };
  /// A side of a triangle, from its vertex k to the next.
  struct Side {
    Index edge = -1;       ///< -1: the diagonal of a quadrilateral
    Index neighbour = -1;  ///< the triangle beyond; -1: none
  };

  std::vector<std::array<Index, 3>> triangles;   ///< vertices, counterclockwise as seen from outside
  std::vector<std::array<Side, 3>> sides;        ///< of each triangle
  std::vector<Edge> edges;                       ///< each once; diagonals are not among them
  std::vector<std::vector<Index>> triangles_at;  ///< of each vertex
  /// For each triangle, the depth below it (m) to which a point is inside; empty: half of its shorter side that is
  /// not a diagonal.
  std::vector<double> depths = {};

  /// Throws ModelError for a face with a repeated vertex, and for an edge with more than two faces, or with two that
  /// are oriented inconsistently.
  static TriangleMesh of_quadrilaterals(std::span<const std::array<Index, 4>> faces, Index vertex_count);
};

/// A triangle in some configuration.
struct PlacedTriangle {
  Index index = 0;                                                           ///< in the mesh
  std::array<Vec3, 3> corners = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  ///< m
};

/// The point of a triangle nearest to a given point.
struct NearestOnTriangle {
  /// Where it is on the triangle.
  enum class Part {
    inside,  ///< in the interior
    side,    ///< between two corners
    corner,  ///< one of three
  };
  Part part = Part::inside;     ///< a point beyond the boundary by up to 1e-9 of its size counts as inside
  Index index = 0;              ///< which side or corner
  Vec3 point = Vec3::Zero();    ///< m
  Vec3 normal = Vec3::UnitZ();  ///< of the triangle, outward, unit
  double height = 0.0;          ///< of the given point above the plane of the triangle, m
  double distance = 0.0;        ///< from `point`, m, >= 0
};
/// For a triangle with these corners (m), counterclockwise as seen from outside.
NearestOnTriangle find_nearest(const std::array<Vec3, 3>& corners, const Vec3& point);

/// Where the way between two points passes through a triangle from its outside, if it does and both points are farther
/// from its plane than the tolerance (m).
std::optional<Vec3> find_entry(const std::array<Vec3, 3>& corners, const Vec3& from, const Vec3& to,
                               double tolerance);

/// A point that may touch a surface.
struct TouchingPoint {
  Vec3 position = Vec3::Zero();  ///< m
  double radius = 0.0;           ///< m; 0: sharp, so that it touches triangles only
  /// Outward normals of the faces that meet at a corner. A sharp point touches only faces whose normal opposes one of
  /// these, or their mean; any face if there are none.
  std::vector<Vec3> normals = {};
};

/// Whether it may touch a face with this outward normal.
bool is_turned_to(const TouchingPoint& point, const Vec3& normal);

/// The contact of a point with a mesh.
struct MeshCandidate {
  ShapeFeature feature;         ///< a face is a triangle
  double gap = 0.0;             ///< m; for a face, the height above its plane
  Vec3 point = Vec3::Zero();    ///< on the mesh, m
  Vec3 normal = Vec3::UnitZ();  ///< to the point
};

/// Distances and choices of find_mesh_candidates() and find_passed().
struct MeshCandidateOptions {
  double reach = 0.0;  ///< m, >= 0: features farther away are not listed
  double size = 0.0;   ///< m, reference length of tolerances
  /// Whether nearly coplanar triangles that meet below a point are all listed, instead of the lowest one only.
  bool all = false;
  std::span<const ShapeFeature> previous = {};  ///< preferred among equivalent choices
};

/// Those of the `triangles` of a mesh that are near a point, each once.
std::vector<MeshCandidate> find_mesh_candidates(const TriangleMesh& mesh,
                                                std::span<const PlacedTriangle> triangles,
                                                const TouchingPoint& point,
                                                const MeshCandidateOptions& options);

/// The triangle that a point passes first on its way from outside to deeper than options.reach below it, if any: the
/// spans hold the same triangles at the start and the end, between which all points move linearly.
std::optional<Index> find_passed(std::span<const PlacedTriangle> begin, std::span<const PlacedTriangle> end,
                                 const TouchingPoint& from, const TouchingPoint& to,
                                 const MeshCandidateOptions& options);

/// Whether a feature at the end of a step is a face that a point of this radius (m), which touched nothing at the start,
/// has been below all the time: it has come in elsewhere, and the face is deeper than it has moved (m).
bool is_unpassed(ShapeFeature::Kind kind, double gap, double radius, double motion);

}  // namespace picus
