#pragma once

/// A convex body with plane faces, in axes of its own: of its corners x_i and its faces with the outward normals n_f,
///
///     P = conv {x_i} = {x : n_f . x <= d_f for all f}.
///
/// What touches is a feature of it, a vertex, an edge or a face. A half-space has one face and neither vertices nor edges.

#include <picus/types.hpp>

#include <array>
#include <compare>
#include <span>
#include <vector>

namespace picus {

/// One of the features of a shape.
struct ShapeFeature {
  /// What it is.
  enum class Kind {
    vertex,  ///< a corner, or the end of an edge
    edge,    ///< between two vertices
    face,    ///< of a convex body, or a triangle
  };
  Kind kind = Kind::vertex;  ///< where `index` counts
  Index index = 0;           ///< among those of its kind

  /// By kind, then by number.
  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  auto operator<=>(const ShapeFeature&) const = default;
};

struct Polytope {
  /// A plane polygon.
  struct Face {
    Vec3 normal = Vec3::UnitZ();  ///< n_f, unit, outward
    double offset = 0.0;          ///< d_f, m: n_f . x on the face
    std::vector<Index> vertices;  ///< counter-clockwise from outside; none for the face of a half-space
  };
  /// Where two faces meet.
  struct Edge {
    std::array<Index, 2> vertices{};  ///< from, to
    std::array<Index, 2> faces{};     ///< the one on its left as seen from outside, the one on its right
  };

  std::vector<Vec3> vertices;  ///< x_i, m
  std::vector<Face> faces;     ///< outside is where one of n_f . x - d_f > 0
  std::vector<Edge> edges;     ///< each once
  /// Diagonal of the box about the vertices, m, to which tolerances refer; 0 for a half-space, which has no size.
  double size = 0.0;

  /// With edges of these lengths (m) along the axes, centred at the origin. Throws ModelError unless they are positive.
  static Polytope box(const Vec3& sizes);
  /// The least that contains all `points` (m). Triangles in one plane are one face; points inside, double ones and those within
  /// faces are dropped. Throws ModelError when they are fewer than 4, not finite, or in one plane, which means thinner than
  /// 1e-9 of their extent.
  static Polytope hull(std::span<const Vec3> points);
  /// {x : normal . x <= offset}. Throws ModelError unless the normal, of any length, has a direction.
  static Polytope half_space(const Vec3& normal, double offset = 0.0);
};

/// What of a polytope is nearest to a point.
struct NearestFeature {
  ShapeFeature feature;       ///< where the nearest point is
  double distance = 0.0;      ///< m; negative inside, where the face of least depth counts as nearest
  Vec3 point = Vec3::Zero();  ///< the nearest one, m; inside its projection on the face
  /// Unit, from `point` to the point asked for, or outward where that is inside.
  Vec3 normal = Vec3::UnitZ();
};

/// To `point`, given in the axes of the polytope.
NearestFeature find_nearest_feature(const Polytope& polytope, const Vec3& point);

/// Whether a point in the plane of a face is within its borders, or at most `margin` (m) beyond one of them.
bool is_within_face(const Polytope& polytope, const Polytope::Face& face, const Vec3& point, double margin);

}  // namespace picus
