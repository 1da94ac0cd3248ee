#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/elements/contacts/shapes/polyhedron.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace picus {
namespace {

/// Fractions of the size: height below which a triangle has no normal; deviation from the plane of a face, and
/// intersection of neighbours, that rounding of the coordinates in a file explains.
constexpr double least_height = 1e-9;
constexpr double plane_thickness = 5e-7;
constexpr double overlap = 1e-7;

/// Smallest cosine between normals of triangles in one plane, however close they are.
constexpr double same_side = 0.5;

/// Tolerance for taking the sum of solid angles as a whole number.
constexpr double clear_winding = 0.05;

Vec3 area_of(const std::array<Vec3, 3>& x) {
  return 0.5 * (x[1] - x[0]).cross(x[2] - x[0]);
}

double longest_side(const std::array<Vec3, 3>& x) {
  return std::max({(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[0] - x[2]).norm()});
}

void require_numbers(const shapes::Mesh& mesh) {
  if (mesh.triangles.empty()) throw ModelError("mesh: it has no triangles");
  for (Index i = 0; i < count_of(mesh.points); ++i) {
    if (!mesh.points[i].allFinite()) throw ModelError(fmt::format("mesh: point {} is not finite", i));
  }
  for (Index t = 0; t < count_of(mesh.triangles); ++t) {
    for (const Index i : mesh.triangles[t]) {
      if (i >= 0 && i < count_of(mesh.points)) continue;
      throw ModelError(
          fmt::format("mesh: triangle {} has point {}, but there are {} points", t, i, mesh.points.size()));
    }
  }
}

/// Builds a polyhedron step by step.
class PolyhedronBuilder {
 public:
  explicit PolyhedronBuilder(const shapes::Mesh& mesh) : is_closed_(mesh.is_closed) {
    require_numbers(mesh);
    body_.is_closed = is_closed_;
    take(mesh);
    require_areas();
    join(mesh);
    const std::vector<std::vector<Index>> parts = find_parts();
    if (is_closed_ && parts.size() == 1) require_volume(parts[0]);
    if (const auto pair = find_intersection(body_.vertices, body_.mesh.triangles, overlap * body_.size))
      throw ModelError(fmt::format("mesh: triangles {} and {} intersect", (*pair)[0], (*pair)[1]));
    if (is_closed_ && parts.size() > 1) require_outsides(parts);
    find_faces();
    find_edges();
    find_depths();
  }
  Polyhedron take_result() { return std::move(body_); }

 private:
  void take(const shapes::Mesh& mesh) {
    std::vector<Index> places(mesh.points.size(), -1);
    Box box;
    for (const auto& corners : mesh.triangles) {
      auto& triangle = body_.mesh.triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        Index& place = places[corners[k]];
        if (place < 0) {
          place = count_of(body_.vertices);
          body_.vertices.push_back(mesh.points[corners[k]]);
          box.extend(body_.vertices.back());
        }
        triangle[k] = place;
      }
    }
    body_.size = box.diagonal().norm();
  }

  void require_areas() {
    for (Index t = 0; t < count_of(body_.mesh.triangles); ++t) {
      const auto corners = body_.corners_of(t);
      const double area = area_of(corners).norm();
      if (!(2 * area > least_height * body_.size * longest_side(corners)))
        throw ModelError(fmt::format("mesh: triangle {} has no area", t));
      normals_.emplace_back(area_of(corners) / area);
      areas_.push_back(area);
    }
  }

  /// Finds neighbours; `given` has the point numbers for messages.
  void join(const shapes::Mesh& given) {
    TriangleMesh& mesh = body_.mesh;
    mesh.sides.resize(mesh.triangles.size());
    mesh.triangles_at.resize(body_.vertices.size());
    struct Owner {
      Index triangle, side, other;
    };
    std::map<std::pair<Index, Index>, Owner> owners;  // by the vertices, the smaller index first
    const auto text_of = [&](const Owner& owner) {
      const auto& corners = given.triangles[owner.triangle];
      return fmt::format("{} and {}", corners[owner.side], corners[(owner.side + 1) % 3]);
    };
    for (Index t = 0; t < count_of(mesh.triangles); ++t) {
      for (Index k = 0; k < 3; ++k) {
        const Index from = mesh.triangles[t][k];
        const Index to = mesh.triangles[t][(k + 1) % 3];
        mesh.triangles_at[from].push_back(t);
        const auto [place, is_new] =
            owners.try_emplace({std::min(from, to), std::max(from, to)}, Owner{t, k, -1});
        if (is_new) continue;
        Owner& owner = place->second;
        if (owner.other >= 0) {
          throw ModelError(fmt::format("mesh: triangles {}, {} and {} have one edge, from point {}",
                                       owner.triangle, owner.other, t, text_of(owner)));
        }
        if (mesh.triangles[owner.triangle][owner.side] == from) {
          throw ModelError(fmt::format("mesh: triangles {} and {} have their outsides on different sides",
                                       owner.triangle, t));
        }
        owner.other = t;
        mesh.sides[t][k].neighbour = owner.triangle;
        mesh.sides[owner.triangle][owner.side].neighbour = t;
      }
    }
    if (!is_closed_) return;
    for (Index t = 0; t < count_of(mesh.triangles); ++t) {
      for (Index k = 0; k < 3; ++k) {
        if (mesh.sides[t][k].neighbour >= 0) continue;
        throw ModelError(
            fmt::format("mesh: it is open: no triangle is beyond the edge of triangle {} between points {} "
                        "(floors may have is_closed = false)",
                        t, text_of({t, k, -1})));
      }
    }
  }

  /// Triangles connected by edges; the first triangle of each part is the one with the smallest index.
  std::vector<std::vector<Index>> find_parts() const {
    const TriangleMesh& mesh = body_.mesh;
    std::vector<bool> is_known(mesh.triangles.size(), false);
    std::vector<std::vector<Index>> parts;
    for (Index seed = 0; seed < count_of(mesh.triangles); ++seed) {
      if (is_known[seed]) continue;
      is_known[seed] = true;
      std::vector<Index>& part = parts.emplace_back(std::vector<Index>{seed});
      for (std::size_t next = 0; next < part.size(); ++next) {
        for (const TriangleMesh::Side& side : mesh.sides[part[next]]) {
          if (side.neighbour < 0 || is_known[side.neighbour]) continue;
          is_known[side.neighbour] = true;
          part.push_back(side.neighbour);
        }
      }
    }
    return parts;
  }

  double volume_of(std::span<const Index> triangles) const {
    const Vec3 origin = body_.corners_of(triangles.front())[0];
    double volume = 0;
    for (const Index t : triangles) {
      const auto corners = body_.corners_of(t);
      volume += area_of(corners).dot(corners[0] - origin) / 3;
    }
    return volume;
  }

  /// Every part lies outside all others, except that a cavity lies within exactly one.
  void require_outsides(const std::vector<std::vector<Index>>& parts) const {
    std::vector<Box> boxes;
    for (const std::vector<Index>& part : parts) {
      Box& box = boxes.emplace_back();
      for (const Index t : part) {
        for (const Vec3& x : body_.corners_of(t)) box.extend(x);
      }
    }
    const auto bodies_round = [&](const Vec3& x, std::size_t own) {
      double angle = 0;
      for (std::size_t other = 0; other < parts.size(); ++other) {
        if (other == own || !boxes[other].contains(x)) continue;
        for (const Index t : parts[other]) angle += solid_angle(body_.corners_of(t), x);
      }
      return angle / (4 * std::numbers::pi);
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // A vertex on the surface of another part is inconclusive.
      double bodies = 0;
      for (const Index t : parts[i]) {
        bodies = bodies_round(body_.corners_of(t)[0], i);
        if (std::abs(bodies - std::round(bodies)) < clear_winding) break;
      }
      const double volume = volume_of(parts[i]);
      if (!(volume > 0) && std::lround(bodies) != 1)
        throw ModelError(
            fmt::format("mesh: the volume of the part with triangle {} is {:.3g} m^3: it is inside out",
                        parts[i].front(), volume));
      if (volume > 0 && std::lround(bodies) != 0)
        throw ModelError(
            fmt::format("mesh: the part with triangle {} is within another part", parts[i].front()));
    }
  }

  void require_volume(std::span<const Index> all) const {
    const double volume = volume_of(all);
    if (!(volume > 0))
      throw ModelError(fmt::format(
          "mesh: its volume is {:.3g} m^3: triangle 0 and the others are seen clockwise from outside",
          volume));
  }

  void find_faces() {
    const TriangleMesh& mesh = body_.mesh;
    body_.face_of.assign(mesh.triangles.size(), -1);
    std::vector<Index> order(mesh.triangles.size());
    for (Index t = 0; t < count_of(order); ++t) order[t] = t;
    std::ranges::stable_sort(order, [&](Index a, Index b) { return areas_[a] > areas_[b]; });
    for (const Index seed : order) {
      if (body_.face_of[seed] >= 0) continue;
      const Index f = count_of(body_.faces);
      Polyhedron::Face& face = body_.faces.emplace_back();
      face.normal = normals_[seed];
      const auto corners = body_.corners_of(seed);
      face.offset = face.normal.dot(corners[0] + corners[1] + corners[2]) / 3;
      face.triangles = {seed};
      body_.face_of[seed] = f;
      for (std::size_t next = 0; next < face.triangles.size(); ++next) {
        for (const TriangleMesh::Side& side : mesh.sides[face.triangles[next]]) {
          if (side.neighbour < 0 || body_.face_of[side.neighbour] >= 0 || !is_in_plane(face, side.neighbour))
            continue;
          body_.face_of[side.neighbour] = f;
          face.triangles.push_back(side.neighbour);
        }
      }
    }
  }
  bool is_in_plane(const Polyhedron::Face& face, Index t) const {
    if (!(normals_[t].dot(face.normal) > same_side)) return false;
    return std::ranges::all_of(body_.corners_of(t), [&](const Vec3& x) {
      return std::abs(face.normal.dot(x) - face.offset) <= plane_thickness * body_.size;
    });
  }

  void find_edges() {
    TriangleMesh& mesh = body_.mesh;
    std::vector<bool> is_corner(body_.vertices.size(), false);
    for (Index t = 0; t < count_of(mesh.triangles); ++t) {
      for (Index k = 0; k < 3; ++k) {
        TriangleMesh::Side& side = mesh.sides[t][k];
        const bool is_border = side.neighbour < 0;
        if (side.edge >= 0 || (!is_border && body_.face_of[t] == body_.face_of[side.neighbour])) continue;
        const std::array ends = {mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]};
        const Vec3 along = body_.vertices[ends[1]] - body_.vertices[ends[0]];
        const auto normal_of = [&](Index triangle) { return body_.faces[body_.face_of[triangle]].normal; };
        const Index e = count_of(body_.edges);
        const bool is_convex = is_border || normal_of(t).cross(normal_of(side.neighbour)).dot(along) > 0;
        body_.edges.push_back(
            {ends, {body_.face_of[t], is_border ? -1 : body_.face_of[side.neighbour]}, is_convex});
        mesh.edges.push_back({ends, {t, side.neighbour}});
        body_.mean_edge += along.norm();
        side.edge = e;
        if (!is_border) {
          for (TriangleMesh::Side& other : mesh.sides[side.neighbour]) {
            if (other.neighbour == t && other.edge < 0) other.edge = e;
          }
        }
        if (!is_convex) continue;
        body_.convex_edges.push_back(e);
        is_corner[ends[0]] = is_corner[ends[1]] = true;
      }
    }
    body_.mean_edge /= static_cast<double>(body_.edges.size());
    for (Index v = 0; v < count_of(is_corner); ++v) {
      if (is_corner[v]) body_.corners.push_back(v);
    }
  }

  /// Half the thickness of the body below the middle of each triangle, along its normal; at most the width of the
  /// triangle.
  void find_depths() {
    TriangleMesh& mesh = body_.mesh;
    const Index count = count_of(mesh.triangles);
    std::vector<Box> boxes(mesh.triangles.size()), ways(mesh.triangles.size());
    for (Index t = 0; t < count; ++t) {
      const auto corners = body_.corners_of(t);
      mesh.depths.push_back(std::sqrt(2 * areas_[t]));
      for (const Vec3& x : corners) boxes[t].extend(x);
      const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3;
      ways[t].extend(middle);
      ways[t].extend(middle - 2 * mesh.depths[t] * normals_[t]);
    }
    BoxTree triangles, lines;
    triangles.build(boxes);
    lines.build(ways);
    std::vector<std::array<Index, 2>> pairs;
    lines.find_pairs(triangles, pairs);
    for (const auto& [t, other] : pairs) {
      const double facing = normals_[t].dot(normals_[other]);
      if (t == other || !(facing < 0)) continue;  // the opposite side faces the other way
      const auto own = body_.corners_of(t);
      const auto there = body_.corners_of(other);
      const Vec3 middle = (own[0] + own[1] + own[2]) / 3;
      const double way = normals_[other].dot(middle - there[0]) / facing;
      if (!(way > 0 && way < 2 * mesh.depths[t])) continue;
      const Vec3 x = middle - way * normals_[t];
      bool is_through = true;
      for (std::size_t k = 0; k < 3; ++k)
        is_through &= (there[(k + 1) % 3] - there[k]).cross(x - there[k]).dot(normals_[other]) >= 0;
      if (is_through) mesh.depths[t] = way / 2;
    }
  }

  Polyhedron body_;
  bool is_closed_;
  std::vector<Vec3> normals_;
  std::vector<double> areas_;
};

}  // namespace

Polyhedron Polyhedron::of(const shapes::Mesh& mesh) {
  return PolyhedronBuilder(mesh).take_result();
}

void Polyhedron::place(const Mat3& R, const Vec3& x) {
  for (Vec3& vertex : vertices) vertex = R * vertex + x;
  for (Face& face : faces) {
    face.normal = R * face.normal;
    face.offset += face.normal.dot(x);
  }
}

double Polyhedron::winding(const Vec3& x) const {
  double angle = 0;
  for (Index t = 0; t < count_of(mesh.triangles); ++t) angle += solid_angle(corners_of(t), x);
  return angle / (4 * std::numbers::pi);
}

std::array<Vec3, 3> Polyhedron::corners_of(Index t) const {
  const auto& [i, j, k] = mesh.triangles[t];
  return {vertices[i], vertices[j], vertices[k]};
}

}  // namespace picus
