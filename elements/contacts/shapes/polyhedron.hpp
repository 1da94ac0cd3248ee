#pragma once

/// A rigid body with plane faces, concave or convex, or a floor, given by triangles in its own axes. Connected
/// triangles in one plane form a face; the boundaries of faces are the edges, while borders between triangles of one
/// face are not.

#include <picus/elements/contacts/shapes/triangle_mesh.hpp>
#include <picus/types.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace picus {

namespace shapes {

/// A body of any shape, or a floor, made of triangles with sharp edges; see read_mesh() for files.
struct Mesh {
  std::vector<Vec3> points;                     ///< in the axes of the surface, m
  std::vector<std::array<Index, 3>> triangles;  ///< point indices, counterclockwise as seen from outside
  /// Whether the triangles enclose a body; a floor, such as terrain, may have a boundary.
  bool is_closed = true;
};

}  // namespace shapes

struct Polyhedron {
  /// Connected triangles that are coplanar to 5e-7 of the size, about the accuracy of coordinates in files.
  struct Face {
    Vec3 normal = Vec3::UnitZ();   ///< of its largest triangle, unit, outward
    double offset = 0.0;           ///< m: normal . x on the face
    std::vector<Index> triangles;  ///< the largest one first
  };
  /// The common edge of two faces, or the boundary of one.
  struct Edge {
    std::array<Index, 2> vertices{};  ///< from, to
    std::array<Index, 2> faces{};     ///< on its left as seen from outside, and on its right; -1: none
    /// Whether the body is convex there: only such edges make contact. Boundary edges of floors count as convex.
    bool is_convex = false;
  };

  std::vector<Vec3> vertices;       ///< m
  TriangleMesh mesh;                ///< borders between triangles of one face are not among its edges
  std::vector<Index> face_of;       ///< of each triangle
  std::vector<Face> faces;          ///< sorted by their largest triangle, the largest first
  std::vector<Edge> edges;          ///< each once, numbered as in `mesh`
  std::vector<Index> convex_edges;  ///< indices into `edges`
  std::vector<Index> corners;       ///< end points of convex edges: other vertices cannot touch a face
  double size = 0.0;                ///< diagonal of the bounding box, m
  double mean_edge = 0.0;           ///< mean length of `edges`, m
  bool is_closed = true;            ///< whether it encloses a body

  /// Points that no triangle uses are dropped. Throws ModelError, with the numbers of points and triangles, for a
  /// mesh without triangles, points that are not finite or do not exist, triangles without area (flatter than 1e-9 of
  /// the size), more than two triangles at an edge, neighbours with inconsistent orientation, and triangles that
  /// intersect by more than 1e-7 of the size; if the mesh is closed, also for boundary edges, a volume that is not
  /// positive, and parts (sets of connected triangles) that are inverted or inside another part, cavities excepted:
  /// their outside is the empty space within.
  static Polyhedron of(const shapes::Mesh& mesh);

  /// Rotates by R, then translates by x (m).
  void place(const Mat3& R, const Vec3& x);
  /// The corners of triangle t, m.
  std::array<Vec3, 3> corners_of(Index t) const;
  /// The winding number of a closed one about x, which is not on it: 1 inside, 0 outside [van Oosterom and Strackee
  /// 1983].
  double winding(const Vec3& x) const;
};

/// Whether two triangles have more in common than points on their boundaries, by more than `tolerance` (m).
bool do_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double tolerance);

/// The indices of two triangles that intersect, in a mesh with these vertices (m); empty if there are none.
std::optional<std::array<Index, 2>> find_intersection(std::span<const Vec3> vertices,
                                                      std::span<const std::array<Index, 3>> triangles,
                                                      double tolerance);

}  // namespace picus
