#pragma once

/// A convex body with plane faces, in its own axes: with its vertices x_i and the outward normals n_f of its faces,
///
///     P = conv {x_i} = {x : n_f . x <= d_f for all f}.
///
/// A contact involves one of its features: a vertex, an edge or a face. A half-space has one face and no vertices or
/// edges.

#include <picus/types.hpp>

#include <array>
#include <compare>
#include <span>
#include <vector>

namespace picus {

/// One of the features of a shape.
struct ShapeFeature {
  /// The type of a feature.
  enum class Kind {
    vertex,  ///< a corner, or the end of an edge
    edge,    ///< between two vertices
    face,    ///< of a convex body, or a triangle of a mesh
  };
  Kind kind = Kind::vertex;  ///< to which list `index` refers
  Index index = 0;           ///< within the list of its kind

  /// Ordered by kind, then by index.
  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  auto operator<=>(const ShapeFeature&) const = default;
};

struct Polytope {
  /// A plane polygon.
  struct Face {
    Vec3 normal = Vec3::UnitZ();  ///< n_f, unit, outward
    double offset = 0.0;          ///< d_f, m: n_f . x on the face
    std::vector<Index> vertices;  ///< counterclockwise as seen from outside; none for a half-space
  };
  /// The common edge of two faces.
  struct Edge {
    std::array<Index, 2> vertices{};  ///< from, to
    std::array<Index, 2> faces{};     ///< on its left as seen from outside, and on its right
  };

  std::vector<Vec3> vertices;  ///< x_i, m
  std::vector<Face> faces;     ///< a point is outside if some n_f . x - d_f > 0
  std::vector<Edge> edges;     ///< each once
  /// Reference length of tolerances, m: the diagonal of the bounding box, at most ten times the least extent along the
  /// normal of a face, so that the two sides of a thin plate remain apart; 0 for an unbounded half-space.
  double size = 0.0;

  /// A box with edges of these lengths (m) along the axes, centred at the origin. Throws ModelError unless they are
  /// positive.
  static Polytope box(const Vec3& sizes);
  /// The convex hull of `points` (m). Coplanar triangles are merged into one face; interior points, duplicates and
  /// points within faces are dropped. Throws ModelError if there are fewer than 4 points, or if they are not finite
  /// or coplanar, that is thinner than 1e-9 of their extent.
  static Polytope hull(std::span<const Vec3> points);
  /// {x : normal . x <= offset}. Throws ModelError if the normal, of any length, has no direction.
  static Polytope half_space(const Vec3& normal, double offset = 0.0);
};

/// The feature of a polytope that is nearest to a point.
struct NearestFeature {
  ShapeFeature feature;       ///< the feature with the nearest point
  double distance = 0.0;      ///< m; negative inside, where the face of least depth counts as nearest
  Vec3 point = Vec3::Zero();  ///< the nearest point, m; for a point inside, its projection onto the face
  /// Unit, from `point` to the given point, or outward if that is inside.
  Vec3 normal = Vec3::UnitZ();
};

/// The feature nearest to `point`, given in the axes of the polytope.
NearestFeature find_nearest_feature(const Polytope& polytope, const Vec3& point);

/// Whether a point in the plane of a face is within its boundary, or at most `margin` (m) beyond one of its edges.
bool is_within_face(const Polytope& polytope, const Polytope::Face& face, const Vec3& point, double margin);

}  // namespace picus
