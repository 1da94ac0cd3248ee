#pragma once

/// A body with plane faces, concave or not, or a floor, given by triangles in axes of its own. Triangles in one plane that hang together
/// are one face; what bounds the faces are the edges, and the borders between triangles of one face are none.

#include <picus/elements/contacts/shapes/triangle_mesh.hpp>
#include <picus/types.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace picus {

namespace shapes {

/// A body of any shape, or a floor, by triangles with sharp edges; see read_mesh() for files.
struct Mesh {
  std::vector<Vec3> points;                     ///< in the axes of the surface, m
  std::vector<std::array<Index, 3>> triangles;  ///< of points, counter-clockwise as seen from outside
  /// Whether the triangles bound a body from all sides; a floor, such as terrain, may have borders.
  bool is_closed = true;
};

}  // namespace shapes

struct Polyhedron {
  /// Triangles in one plane, to 5e-7 of the size: the digits of a file.
  struct Face {
    Vec3 normal = Vec3::UnitZ();   ///< of the largest triangle, unit, outward
    double offset = 0.0;           ///< m: normal . x on the face
    std::vector<Index> triangles;  ///< the largest first
  };
  /// Where two faces meet, or one ends.
  struct Edge {
    std::array<Index, 2> vertices{};  ///< from, to
    std::array<Index, 2> faces{};     ///< on its left as seen from outside, and on its right; -1: none
    /// Whether the body is convex there: only such edges touch. Borders of floors do.
    bool is_convex = false;
  };

  std::vector<Vec3> vertices;       ///< m
  TriangleMesh mesh;                ///< borders between triangles of one face are no edges of it
  std::vector<Index> face_of;       ///< of each triangle
  std::vector<Face> faces;          ///< those with the largest triangles first
  std::vector<Edge> edges;          ///< each once, numbered as in `mesh`
  std::vector<Index> convex_edges;  ///< which of `edges`
  std::vector<Index> corners;       ///< vertices of convex edges: no others can touch a face
  double size = 0.0;                ///< diagonal of the box about the vertices, m
  double mean_edge = 0.0;           ///< mean length of `edges`, m
  bool is_closed = true;            ///< it bounds a body from all sides

  /// Points that no triangle has are dropped. Throws ModelError, with the numbers of points and triangles, for a mesh without
  /// triangles, points that are not finite or that there are not, triangles without area (flatter than 1e-9 of the size), more
  /// than two at an edge, neighbours with their outsides on different sides, triangles that intersect by more than 1e-7 of the
  /// size; and, if it is closed, for borders, a volume that is not positive, and parts (triangles that hang together) that are inside
  /// out or within the body: only hollows, whose outside is the hollow, are in it.
  static Polyhedron of(const shapes::Mesh& mesh);

  /// Rotates by R, then moves by x (m).
  void place(const Mat3& R, const Vec3& x);
  /// The corners of triangle t, m.
  std::array<Vec3, 3> corners_of(Index t) const;
  /// How often a closed one goes round x, which is not on it: 1 inside, 0 outside [van Oosterom and Strackee 1983].
  double winding(const Vec3& x) const;
};

/// Whether two triangles have more than points on their borders in common, by more than `tolerance` (m).
bool do_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double tolerance);

/// Two triangles of a mesh with these vertices (m) that intersect, by their numbers.
std::optional<std::array<Index, 2>> find_intersection(std::span<const Vec3> vertices,
                                                      std::span<const std::array<Index, 3>> triangles,
                                                      double tolerance);

}  // namespace picus
