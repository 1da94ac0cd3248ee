#include <picus/elements/contacts/shapes/triangle_mesh.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace picus {
namespace {

using TrianglePart = NearestOnTriangle::Part;

/// Triangles extend beyond their boundary by this fraction of their size, so that no point falls between two of them.
constexpr double triangle_border = 1e-9;

/// Depth below a face to which a point counts as inside, as a fraction of the shortest edge of the face.
constexpr double depth_part = 0.5;

/// A sharp point above an edge or a corner contacts an adjacent triangle if the angle between the line to the nearest
/// point and the normal of the triangle is at most 30 degrees. Next to sharper edges there is no contact.
constexpr double near_normal = 0.8660254;

/// A corner may touch a triangle if one of its normals opposes that of the triangle by more than this cosine.
constexpr double least_facing = 0.1;

/// Triangles whose normals differ by less (rad) and whose nearest points are closer than this fraction of the size
/// make one contact.
constexpr double one_direction = 0.05;
constexpr double one_place = 1e-3;
constexpr double as_good = 1e-9;

/// A triangle with its point nearest to the given one.
struct SeenTriangle {
  const PlacedTriangle* placed;
  NearestOnTriangle nearest;
  Vec3 middle;
  double depth;  ///< depth down to which it counts, m
};

/// Half of the shorter one of the two sides that are not the diagonal.
double depth_of(const std::array<TriangleMesh::Side, 3>& sides, const std::array<Vec3, 3>& x) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    if (sides[k].edge >= 0) shortest = std::min(shortest, (x[(k + 1) % 3] - x[k]).norm());
  }
  return depth_part * shortest;
}

/// Evaluates the triangles near one point.
class MeshSearch {
 public:
  MeshSearch(const TriangleMesh& mesh, std::span<const PlacedTriangle> triangles, const TouchingPoint& point,
             const MeshCandidateOptions& options)
      : mesh_(mesh), point_(point), options_(options) {
    seen_.reserve(triangles.size());
    for (const PlacedTriangle& placed : triangles) {
      const auto& [x0, x1, x2] = placed.corners;
      NearestOnTriangle nearest = find_nearest(placed.corners, point.position);
      if (stays_over(placed.index, nearest)) nearest = over(nearest);
      const double depth = mesh.depths.empty() ? depth_of(mesh.sides[placed.index], placed.corners)
                                               : mesh.depths[placed.index];
      seen_.push_back({&placed, nearest, (x0 + x1 + x2) / 3, depth});
    }
    std::ranges::sort(seen_, {}, [](const SeenTriangle& one) { return one.placed->index; });
  }

  std::vector<MeshCandidate> run() {
    for (const SeenTriangle& one : seen_) {
      if (one.nearest.part == TrianglePart::inside) add_face(one);
    }
    drop_deeper_ones();
    if (!options_.all) remove_duplicates();
    std::vector<MeshCandidate> result;
    for (const SeenTriangle* one : faces_) add_touch(*one, result);
    for (const SeenTriangle& one : seen_) {
      if (one.nearest.part == TrianglePart::side) try_side(one, result);
      if (one.nearest.part == TrianglePart::corner) try_corner(one, result);
    }
    std::ranges::sort(result, {}, &MeshCandidate::feature);
    const auto same = [](const MeshCandidate& a, const MeshCandidate& b) { return a.feature == b.feature; };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return result;
  }

 private:
  const SeenTriangle* find(Index triangle) const {
    const auto place = std::ranges::lower_bound(seen_, triangle, {},
                                                [](const SeenTriangle& one) { return one.placed->index; });
    return place != seen_.end() && place->placed->index == triangle ? &*place : nullptr;
  }
  bool was_present(Index triangle) const {
    return std::ranges::find(options_.previous, ShapeFeature{ShapeFeature::Kind::face, triangle}) !=
           options_.previous.end();
  }

  /// A sharp point that was in contact with a triangle counts as over it until it is beyond its boundary by more than
  /// `one_place`: otherwise contacts would alternate where the sides of two bodies are flush.
  bool stays_over(Index triangle, const NearestOnTriangle& at) const {
    if (at.part == TrianglePart::inside || point_.radius > 0 || !was_present(triangle)) return false;
    const double beyond = at.distance * at.distance - at.height * at.height;
    return beyond < std::pow(one_place * options_.size, 2);
  }
  NearestOnTriangle over(NearestOnTriangle at) const {
    at.part = TrianglePart::inside;
    at.point = point_.position - at.height * at.normal;
    at.distance = std::abs(at.height);
    return at;
  }

  /// Whether the way from the point out through a face enters the body through another one: then the point is outside,
  /// as above a thin plate, for whose lower side it is not too deep.
  bool is_beyond_another(const SeenTriangle& one) const {
    const double tolerance = as_good * options_.size;
    if (one.nearest.height >= -tolerance) return false;
    return std::ranges::any_of(seen_, [&](const SeenTriangle& other) {
      return &other != &one &&
             find_entry(other.placed->corners, point_.position, one.nearest.point, tolerance).has_value();
    });
  }

  bool may_touch(const SeenTriangle& one) const {
    return one.nearest.height >= -one.depth && is_turned_to(point_, one.nearest.normal) &&
           !is_beyond_another(one);
  }

  void add_face(const SeenTriangle& one) {
    if (may_touch(one)) faces_.push_back(&one);
  }

  /// Whether the body is convex at both: each lies below the plane of the other.
  bool are_convex(const SeenTriangle& a, const SeenTriangle& b) const {
    const double tolerance = as_good * options_.size;
    return a.nearest.normal.dot(b.middle - a.middle) <= tolerance &&
           b.nearest.normal.dot(a.middle - b.middle) <= tolerance;
  }
  bool is_better(const SeenTriangle& a, const SeenTriangle& b) const {
    const double higher = a.nearest.height - b.nearest.height;
    if (std::abs(higher) > as_good * options_.size) return higher > 0;
    const bool a_was_present = was_present(a.placed->index);
    return a_was_present != was_present(b.placed->index) ? a_was_present : a.placed->index < b.placed->index;
  }

  /// On a convex body the face with the largest gap counts. If the projection of the point onto one triangle lies
  /// above the other, the body is not convex there, regardless of their centres.
  void drop_deeper_ones() {
    const std::vector<const SeenTriangle*> all = faces_;
    const auto has_foot_below = [&](const SeenTriangle& one, const SeenTriangle& other) {
      const double above =
          other.nearest.normal.dot(one.nearest.point - point_.position) + other.nearest.height;
      return above <= as_good * options_.size;
    };
    std::erase_if(faces_, [&](const SeenTriangle* one) {
      return std::ranges::any_of(all, [&](const SeenTriangle* other) {
        return other != one && are_convex(*one, *other) && has_foot_below(*one, *other) &&
               is_better(*other, *one);
      });
    });
  }

  /// In a nearly flat concave region, keeps the lowest face and those chosen before.
  void remove_duplicates() {
    const std::vector<const SeenTriangle*> all = faces_;
    const auto is_same_place = [&](const SeenTriangle& a, const SeenTriangle& b) {
      return (a.nearest.point - b.nearest.point).norm() <= one_place * options_.size &&
             a.nearest.normal.dot(b.nearest.normal) >= std::cos(one_direction);
    };
    const auto goes_before = [&](const SeenTriangle& a, const SeenTriangle& b) {
      const bool a_was_present = was_present(a.placed->index);
      if (a_was_present != was_present(b.placed->index)) return a_was_present;
      if (a.nearest.height != b.nearest.height) return a.nearest.height < b.nearest.height;
      return a.placed->index < b.placed->index;
    };
    std::erase_if(faces_, [&](const SeenTriangle* one) {
      return !was_present(one->placed->index) && std::ranges::any_of(all, [&](const SeenTriangle* other) {
        return other != one && is_same_place(*one, *other) && goes_before(*other, *one);
      });
    });
  }

  void add_touch(const SeenTriangle& one, std::vector<MeshCandidate>& result) const {
    const double gap = one.nearest.height - point_.radius;
    if (!(gap < options_.reach)) return;
    result.push_back({{ShapeFeature::Kind::face, one.placed->index},
                      gap,
                      point_.position - one.nearest.height * one.nearest.normal,
                      one.nearest.normal});
  }

  /// Of triangles that meet at their point nearest to the given one, which is outside, the one with the largest gap.
  void add_best(std::span<const SeenTriangle* const> around, bool any_angle,
                std::vector<MeshCandidate>& result) const {
    const SeenTriangle* best = nullptr;
    for (const SeenTriangle* one : around) {
      if (one != nullptr && is_turned_to(point_, one->nearest.normal) &&
          (best == nullptr || is_better(*one, *best)))
        best = one;
    }
    if (best == nullptr) return;
    const auto& [part, index, nearest, normal, height, distance] = best->nearest;
    if (height > 0 && (any_angle || height >= near_normal * distance)) add_touch(*best, result);
  }

  static double highest(std::span<const SeenTriangle* const> around) {
    double height = -std::numeric_limits<double>::infinity();
    for (const SeenTriangle* one : around) {
      if (one != nullptr) height = std::max(height, one->nearest.height);
    }
    return height;
  }

  void add_feature(const ShapeFeature& feature, const NearestOnTriangle& at,
                   std::vector<MeshCandidate>& result) const {
    const double gap = at.distance - point_.radius;
    if (!(gap < options_.reach) || !(at.distance > 0)) return;
    result.push_back({feature, gap, at.point, (point_.position - at.point) / at.distance});
  }

  void try_side(const SeenTriangle& one, std::vector<MeshCandidate>& result) const {
    const auto& [edge, neighbour] = mesh_.sides[one.placed->index][one.nearest.index];
    const SeenTriangle* other = neighbour < 0 ? nullptr : find(neighbour);
    if (other != nullptr) {
      const auto& [part, index, point, normal, height, distance] = other->nearest;
      const bool same =
          part == TrianglePart::side && mesh_.sides[neighbour][index].neighbour == one.placed->index;
      if (!same) return;
    }
    // Both triangles of a face share the nearest point: where only one of them is listed, it is out of reach.
    if (point_.radius > 0 && edge < 0 && other == nullptr) return;
    const std::array around = {&one, other};
    if (!(highest(around) > 0)) {
      // Behind a concave edge the point is below both faces and has a contact with each.
      if (other == nullptr || are_convex(one, *other)) return;
      for (const SeenTriangle* face : around) {
        if (may_touch(*face)) add_touch(*face, result);
      }
      return;
    }
    if (point_.radius > 0 && edge >= 0) {
      add_feature({ShapeFeature::Kind::edge, edge}, one.nearest, result);
    } else {
      add_best(around, point_.radius > 0, result);
    }
  }

  void try_corner(const SeenTriangle& one, std::vector<MeshCandidate>& result) const {
    const Index v = mesh_.triangles[one.placed->index][one.nearest.index];
    std::vector<const SeenTriangle*> around;
    for (const Index t : mesh_.triangles_at[v]) {
      const SeenTriangle* other = find(t);
      if (other == nullptr) continue;
      const bool same =
          other->nearest.part == TrianglePart::corner && mesh_.triangles[t][other->nearest.index] == v;
      if (!same) return;
      around.push_back(other);
    }
    if (!(highest(around) > 0)) return;
    if (point_.radius > 0) {
      add_feature({ShapeFeature::Kind::vertex, v}, one.nearest, result);
    } else {
      add_best(around, false, result);
    }
  }

  const TriangleMesh& mesh_;
  const TouchingPoint& point_;
  const MeshCandidateOptions& options_;
  std::vector<SeenTriangle> seen_;
  std::vector<const SeenTriangle*> faces_;
};

/// Barycentric coordinates of the projection of x, and its height.
std::pair<Vec3, double> coordinates(const std::array<Vec3, 3>& corners, const Vec3& x) {
  const Vec3 u = corners[1] - corners[0];
  const Vec3 v = corners[2] - corners[0];
  const Vec3 N = u.cross(v);
  const Vec3 d = x - corners[0];
  const double s = d.cross(v).dot(N) / N.squaredNorm();
  const double t = u.cross(d).dot(N) / N.squaredNorm();
  return {Vec3(1 - s - t, s, t), d.dot(N) / N.norm()};
}

}  // namespace

double solid_angle(const std::array<Vec3, 3>& corners, const Vec3& x) {
  const Vec3 a = corners[0] - x, b = corners[1] - x, c = corners[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

bool is_turned_to(const TouchingPoint& point, const Vec3& normal) {
  if (point.radius > 0 || point.normals.empty()) return true;
  Vec3 sum = Vec3::Zero();
  for (const Vec3& own : point.normals) {
    if (own.dot(normal) < -least_facing) return true;
    sum += own;
  }
  return sum.norm() > 0 && sum.normalized().dot(normal) < -least_facing;
}

TriangleMesh TriangleMesh::of_quadrilaterals(std::span<const std::array<Index, 4>> faces,
                                             Index vertex_count) {
  TriangleMesh result;
  result.triangles_at.resize(vertex_count);
  struct Owner {
    Index edge;
    int face;
  };
  std::map<std::pair<Index, Index>, Owner> known;
  for (Index f = 0; f < count_of(faces); ++f) {
    const auto& corners = faces[f];
    const Index first = 2 * f;
    const Index second = 2 * f + 1;
    result.triangles.push_back({corners[0], corners[1], corners[2]});
    result.triangles.push_back({corners[0], corners[2], corners[3]});
    result.sides.resize(result.triangles.size());
    result.sides[first][2].neighbour = second;
    result.sides[second][0].neighbour = first;
    for (const Index t : {first, second}) {
      for (const Index v : result.triangles[t]) result.triangles_at[v].push_back(t);
    }
    for (Index k = 0; k < 4; ++k) {
      const Index from = corners[k];
      const Index to = corners[(k + 1) % 4];
      for (Index other = 0; other < k; ++other) {
        if (corners[other] == from) throw ModelError(fmt::format("face {} has a node twice", f));
      }
      const Index triangle = k < 2 ? first : second;
      const Index side = k < 2 ? k : k - 1;
      const auto [place, is_new] =
          known.try_emplace({std::min(from, to), std::max(from, to)}, Owner{count_of(result.edges), 0});
      auto& [edge, other] = place->second;
      result.sides[triangle][side].edge = edge;
      if (is_new) {
        result.edges.push_back({{from, to}, {triangle, -1}});
        other = f;
        continue;
      }
      Edge& shared = result.edges[edge];
      if (shared.triangles[1] >= 0)
        throw ModelError(fmt::format("faces {} and {} meet at an edge with a third one", other, f));
      if (shared.vertices[0] == from)
        throw ModelError(fmt::format("faces {} and {} have their outsides on different sides", other, f));
      shared.triangles[1] = triangle;
      const Index beyond = shared.triangles[0];
      result.sides[triangle][side].neighbour = beyond;
      for (Side& of_other : result.sides[beyond]) {
        if (of_other.edge == edge) of_other.neighbour = triangle;
      }
    }
  }
  return result;
}

NearestOnTriangle find_nearest(const std::array<Vec3, 3>& corners, const Vec3& point) {
  NearestOnTriangle result;
  result.normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  const auto [weights, height] = coordinates(corners, point);
  result.height = height;
  if (weights.minCoeff() > -triangle_border) {
    result.point = point - height * result.normal;
    result.distance = std::abs(height);
    return result;
  }
  double best = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < 3; ++k) {
    const Vec3& from = corners[k];
    const Vec3& to = corners[(k + 1) % 3];
    const Vec3 along = to - from;
    const double s = std::clamp(along.dot(point - from) / along.squaredNorm(), 0.0, 1.0);
    const Vec3 here = s < 1 ? Vec3(from + s * along) : to;
    const double square = (point - here).squaredNorm();
    if (!(square < best)) continue;
    best = square;
    result.point = here;
    const bool is_inner = s > 0 && s < 1;
    result.part = is_inner ? TrianglePart::side : TrianglePart::corner;
    result.index = is_inner || s == 0 ? k : (k + 1) % 3;
  }
  result.distance = std::sqrt(best);
  return result;
}

std::optional<Vec3> find_entry(const std::array<Vec3, 3>& corners, const Vec3& from, const Vec3& to,
                               double tolerance) {
  const double height = coordinates(corners, from).second;
  const double height_end = coordinates(corners, to).second;
  if (!(height > tolerance && height_end < -tolerance)) return std::nullopt;
  const Vec3 entry = from + height / (height - height_end) * (to - from);
  return coordinates(corners, entry).first.minCoeff() > -triangle_border ? std::optional(entry)
                                                                         : std::nullopt;
}

std::vector<MeshCandidate> find_mesh_candidates(const TriangleMesh& mesh,
                                                std::span<const PlacedTriangle> triangles,
                                                const TouchingPoint& point,
                                                const MeshCandidateOptions& options) {
  return MeshSearch(mesh, triangles, point, options).run();
}

std::optional<Index> find_passed(std::span<const PlacedTriangle> begin, std::span<const PlacedTriangle> end,
                                 const TouchingPoint& from, const TouchingPoint& to,
                                 const MeshCandidateOptions& options) {
  constexpr double margin = 1e-6;  // so that no point passes between two triangles
  Index passed = -1;
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const auto [weights, height] = coordinates(begin[i].corners, from.position);
    const auto [weights_end, height_end] = coordinates(end[i].corners, to.position);
    if (!(height >= -as_good * options.size && height_end < -options.reach)) continue;
    const double t = std::max(height, 0.0) / (std::max(height, 0.0) - height_end);
    const Vec3 there = (1 - t) * weights + t * weights_end;
    const Vec3 normal = find_nearest(end[i].corners, to.position).normal;
    if (there.minCoeff() < -margin || !(t < first) || !is_turned_to(to, normal)) continue;
    first = t;
    passed = begin[i].index;
  }
  return passed < 0 ? std::nullopt : std::optional(passed);
}

bool is_unpassed(ShapeFeature::Kind kind, double gap, double radius, double motion) {
  return kind == ShapeFeature::Kind::face && gap + radius < -motion;
}

}  // namespace picus
