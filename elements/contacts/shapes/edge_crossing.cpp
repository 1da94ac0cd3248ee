#include <picus/elements/contacts/shapes/edge_crossing.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// Closest points of edges must be this far from the ends, as a fraction of the length; at the ends the corners
/// touch.
constexpr double edge_end = 1e-9;
/// Limits for the cosines between a common normal of two edges and the adjacent faces, and their directions away from
/// the edge.
constexpr double beyond_face = -0.05;
constexpr double beyond_edge = 0.5;
constexpr double beyond_sharp_edge = 0.05;
constexpr double least_sine = 0.05;
/// Largest penetration of edges that cross close to the end of one of them, as a fraction of the shorter edge.
constexpr double depth_at_end = 0.1;

/// Whether n can be a normal of an edge: not below its faces, and pointing away from them. Normals of edges sharper
/// than 90 degrees may be below one of the faces: there they are those between the normals of both.
bool is_normal_of(const EdgeOfFaces& edge, const Vec3& n) {
  const Vec3 along = (edge.to - edge.from).normalized();
  const auto& [left, right] = edge.normals;
  const bool is_sharp = left.dot(right) < 0 && left.cross(right).dot(along) > 0;
  if (is_sharp && !(n.dot(left + right) > 0)) return false;
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3& normal = edge.normals[k];
    if (normal.isZero(0.0)) continue;
    const Vec3 into = (k == 0 ? 1.0 : -1.0) * normal.cross(along);
    if (!(n.dot(into) <= (is_sharp ? beyond_sharp_edge : beyond_edge))) return false;
    if (!is_sharp && !(n.dot(normal) >= beyond_face)) return false;
  }
  return true;
}

/// Whether another edge passes beside a sharp one whose normal n is below one of its faces: outside of that face, where
/// it may be far below the edge along n.
bool is_beside(const EdgeOfFaces& edge, const Vec3& n, const EdgeOfFaces& other) {
  return std::ranges::any_of(edge.normals, [&](const Vec3& normal) {
    return n.dot(normal) < beyond_face && normal.dot(other.from - edge.from) > 0 &&
           normal.dot(other.to - edge.from) > 0;
  });
}

/// Whether a point is outside of one of the two faces of an edge; unknown, and false, at the border of a surface.
bool is_outside(const EdgeOfFaces& edge, const Vec3& x) {
  return std::ranges::none_of(edge.normals, [](const Vec3& normal) { return normal.isZero(0.0); }) &&
         std::ranges::any_of(edge.normals, [&](const Vec3& normal) { return normal.dot(x - edge.from) > 0; });
}

/// Whether a point is deeper below a face of an edge than counts as inside: nearer to the opposite side of a thin body, or
/// farther than the size of a cell of a fine mesh.
bool is_below(const EdgeOfFaces& edge, const Vec3& x) {
  for (std::size_t k = 0; k < 2; ++k) {
    if (edge.normals[k].dot(edge.from - x) > edge.depths[k]) return true;
  }
  return false;
}

/// The closest points of the lines of two edges: a.from + s u and b.from + t v.
struct LinePoints {
  Vec3 N;  ///< u x v
  double s, t;
};
std::optional<LinePoints> find_line_points(const EdgeOfFaces& a, const EdgeOfFaces& b) {
  const Vec3 u = a.to - a.from;
  const Vec3 v = b.to - b.from;
  const Vec3 N = u.cross(v);
  const double NN = N.squaredNorm();
  if (!(NN > least_sine * least_sine * u.squaredNorm() * v.squaredNorm())) return std::nullopt;
  const Vec3 x = a.from - b.from;
  return LinePoints{N, v.cross(x).dot(N) / NN, u.cross(x).dot(N) / NN};
}

}  // namespace

bool are_beyond(const EdgeOfFaces& a, const EdgeOfFaces& b, bool is_along) {
  const auto lines = find_line_points(a, b);
  if (!lines) return false;
  const Vec3 on_a = a.from + lines->s * (a.to - a.from);
  const Vec3 on_b = b.from + lines->t * (b.to - b.from);
  const double height = lines->N.dot(on_a - on_b);
  return (is_along ? height < 0 : height > 0) && (is_below(b, on_a) || is_below(a, on_b));
}

std::optional<EdgeCrossing> find_edge_crossing(const EdgeOfFaces& a, double radius, const EdgeOfFaces& b) {
  const Vec3 u = a.to - a.from;
  const Vec3 v = b.to - b.from;
  const auto lines = find_line_points(a, b);
  if (!lines) return std::nullopt;
  const auto& [N, s, t] = *lines;
  const auto is_within = [](double place) { return place > edge_end && place < 1 - edge_end; };
  if (!is_within(s) || !is_within(t)) return std::nullopt;
  EdgeCrossing result;
  result.is_along = N.dot(b.normals[0] + b.normals[1]) > 0;
  result.normal = (result.is_along ? 1.0 : -1.0) * N.normalized();
  if (!is_normal_of(b, result.normal) || !is_normal_of(a, -result.normal)) return std::nullopt;
  if (is_beside(b, result.normal, a) || is_beside(a, -result.normal, b)) return std::nullopt;
  result.point = b.from + t * v;
  const Vec3 on_a = a.from + s * u;
  const double distance = result.normal.dot(on_a - result.point);
  if (distance < 0 && (is_below(b, on_a) || is_below(a, result.point))) return std::nullopt;
  // Where the penetration exceeds the distance from the nearest end, the corner there is in contact instead, provided
  // that it is inside the other body. A corner outside, which has passed beside the other edge within a step, has no
  // contact: then the edges may penetrate down to `depth_at_end`.
  const double to_end_of_a = std::min(s, 1 - s) * u.norm();
  const double to_end_of_b = std::min(t, 1 - t) * v.norm();
  const bool corner_is_outside = to_end_of_a < to_end_of_b ? is_outside(b, s < 0.5 ? a.from : a.to)
                                                           : is_outside(a, t < 0.5 ? b.from : b.to);
  const double deepest = corner_is_outside ? depth_at_end * std::min(u.norm(), v.norm()) : 0.0;
  if (-distance > std::max(deepest, std::min(to_end_of_a, to_end_of_b))) return std::nullopt;
  result.gap = distance - radius;
  return result;
}

}  // namespace picus
