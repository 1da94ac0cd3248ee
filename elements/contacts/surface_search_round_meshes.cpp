// The part of SurfaceSearch for cylinders and cones on triangles, rigid or deformable.
//
// Surfaces of triangles may be concave, so that no single direction separates them from a cylinder: each pair of
// features that can support the two bodies by itself is listed. These are a rim or tip over a triangle, an edge across
// a side or a rim, and a corner on a side or an end, if the normal is one of both features.

#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/surface_search.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <utility>

namespace picus {
namespace {

using MeshCurve = RoundFeature::Curve;

/// Largest penetrations; deeper pairs belong to opposite sides of the bodies. For faces and corners it is a fraction of
/// the extent of the cylinder along the normal, all of which lies behind a face of the opposite side; for edges it is a
/// fraction of the size of the cylinder.
constexpr double deepest_extent = 0.5;
constexpr double deepest_part = 0.1;
/// Sine of the angle by which a normal may be beyond those of an edge: 3 degrees.
constexpr double beyond_normals = 0.05;
/// Lines whose directions have a smaller sine touch at their ends only.
constexpr double parallel_to_side = 1e-4;
/// A rim that crosses an edge of a deformable solid is lowest there if it rises to both sides by this slope.
constexpr double flat_edge = 1e-9;
/// A rim touches a face if its gap is at most this fraction of the size.
constexpr double touching_part = 1e-9;
/// Extension of boundaries as a fraction of the size.
constexpr double beyond_border = 1e-9;

/// Whether m is a normal of an edge, between those of its faces; never for a concave one.
bool is_normal_of_edge(const EdgeOfFaces& edge, const Vec3& m) {
  const Vec3 along = (edge.to - edge.from).normalized();
  const std::array<Vec3, 2> into_faces = {edge.normals[0].cross(along), along.cross(edge.normals[1])};
  return m.dot(into_faces[0]) <= beyond_normals && m.dot(into_faces[1]) <= beyond_normals &&
         m.dot(edge.normals[0] + edge.normals[1]) > 0;
}

/// Whether the height of a rim over the faces of an edge is least where it crosses the edge.
bool is_lowest_on_rim(const EdgeOfFaces& edge, const RoundFeature& rim, const Vec3& x) {
  const Vec3 ahead = rim.axis.cross(x - rim.x).normalized();
  const bool is_into_first = edge.normals[0].cross(edge.to - edge.from).dot(ahead) > 0;
  const double rise_ahead = edge.normals[is_into_first ? 0 : 1].dot(ahead);
  const double rise_behind = -edge.normals[is_into_first ? 1 : 0].dot(ahead);
  return std::min(rise_ahead, rise_behind) > flat_edge;
}

/// Whether no point of an edge is closer to a rim than `distance`, from bounds of its heights above the plane of the rim
/// and of its distances from the axis.
bool is_far_from_rim(const EdgeOfFaces& edge, const RoundFeature& rim, double distance) {
  const Vec3 from = edge.from - rim.x, to = edge.to - rim.x;
  const double z_from = rim.axis.dot(from), z_to = rim.axis.dot(to);
  if (std::min(z_from, z_to) > distance || std::max(z_from, z_to) < -distance) return true;
  const Vec3 r_from = from - z_from * rim.axis, way = to - z_to * rim.axis - r_from;
  const double squared = way.squaredNorm();
  const double s = squared > 0 ? std::clamp(-r_from.dot(way) / squared, 0.0, 1.0) : 0.0;
  if ((r_from + s * way).norm() > rim.radius + distance) return true;
  return std::max(r_from.norm(), (r_from + way).norm()) < rim.radius - distance;
}

bool is_over(const std::array<Vec3, 3>& corners, const Vec3& normal, const Vec3& x, double margin) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& from = corners[k];
    const Vec3 side = (corners[(k + 1) % 3] - from).normalized();
    if (normal.cross(side).dot(x - from) < -margin) return false;
  }
  return true;
}

}  // namespace

bool SurfaceSearch::has_triangles(const Part& part) const {
  const Surface& surface = *surfaces_[part.surface];
  return surface.mesh() != nullptr || surface.polyhedron() != nullptr;
}

Vec3 SurfaceSearch::outward_normal(const Configuration& q, const SurfaceFeature& face) const {
  const Surface& surface = *surfaces_[face.surface];
  if (const TriangleMesh* mesh = surface.mesh(); mesh != nullptr) {
    const auto& [i, j, k] = mesh->triangles[face.feature.index];
    const Vec3 from = vertex(q, face.surface, i);
    return (vertex(q, face.surface, j) - from).cross(vertex(q, face.surface, k) - from).normalized();
  }
  return placement(q, face.surface).R * round_feature(face, closest).axis;
}

bool SurfaceSearch::is_round_on_triangles(Index a, Index b) const {
  return (is_round(parts_[a].surface) && has_triangles(parts_[b])) ||
         (is_round(parts_[b].surface) && has_triangles(parts_[a]));
}

// The two triangles of a cell follow each other.
bool SurfaceSearch::is_second_of_cell(Index part) const {
  return parts_[part].role == Role::triangle && parts_[part].feature.index % 2 == 1;
}

// A cell is searched once, from its first triangle if that is near.
bool SurfaceSearch::is_seen_from_first(Index a, Index b) const {
  if (is_second_of_cell(a)) std::swap(a, b);
  return is_second_of_cell(b) && boxes_[b - 1].intersects(boxes_[a]);
}

// For a triangle of a cell, the larger motion of both triangles.
double SurfaceSearch::motion_of(Index part) const {
  if (parts_[part].role != Role::triangle) return motion_[part];
  const Index first = is_second_of_cell(part) ? part - 1 : part;
  return std::max(motion_[first], motion_[first + 1]);
}

// Normals of candidates point from the cylinder to the triangles, whose features come first in keys.
struct SurfaceSearch::RoundOnMesh {
  SurfaceSearch& search;
  const Configuration& q;
  const Part& round;
  Index mesh;
  const ConvexBody& body;
  std::span<const ContactKey> previous;
  double reach, deepest, margin, size;
  bool is_deformable;  ///< the mesh has faces of a solid
  std::vector<Candidate>& near;

  bool is_near(double gap, const Vec3& n) const {
    if (gap >= 0) return gap < reach;
    return -gap < deepest_extent * (body.support_function(n) + body.support_function(-n));
  }
  bool is_near_edge(double gap) const { return gap < reach && gap > -deepest; }
  /// Whether a rim found at a single configuration penetrates a deformable solid so little that a contact in the next
  /// step is early enough.
  bool is_between_points(const BodyFeature& of_body, double gap) const {
    return is_deformable && search.begin_ == search.end_ && of_body.feature.curve == MeshCurve::circle &&
           gap > -between_points * size;
  }
  void add(const ShapeFeature& of_mesh, const BodyFeature& of_body, std::uint32_t kind, double gap,
           const Vec3& point, const Vec3& normal, bool is_needed = false) const {
    if (search.pairs_.law.sliding.friction_directions == 1 && !ContactDirections::is_in_plane(normal)) return;
    if (is_between_points(of_body, gap)) return;
    near.push_back(
        {search.key_of({mesh, of_mesh}, {round.surface, of_body.id}, kind), gap, point, normal, is_needed});
  }

  /// Whether x is beyond an end or the side of the round body.
  bool is_outside(const Vec3& x) const {
    return std::ranges::any_of(body.features(), [&](const BodyFeature& one) {
      if (one.feature.curve != MeshCurve::line && one.feature.curve != MeshCurve::plane) return false;
      return std::ranges::any_of(find_closest_pairs({MeshCurve::point, x}, one.feature),
                                 [&](const ClosestPair& pair) { return pair.gap() > margin; });
    });
  }

  // Inside a convex body the face with the least depth counts. A point outside of one face is not inside of others.
  void on_point(const TouchingPoint& point, Index v) const {
    const RoundFeature corner{MeshCurve::point, point.position};
    const BodyFeature* best = nullptr;
    ClosestPair of_best;
    for (const BodyFeature& one : body.features()) {
      if (one.feature.curve != MeshCurve::line && one.feature.curve != MeshCurve::plane) continue;
      for (const ClosestPair& pair : find_closest_pairs(corner, one.feature)) {
        if (!is_near(pair.gap(), pair.n) || !body.is_within(one, pair.on_b(), margin)) continue;
        if (best != nullptr && !(pair.gap() > of_best.gap())) continue;
        best = &one;
        of_best = pair;
      }
    }
    if (best == nullptr || !is_turned_to(point, of_best.n)) return;
    if (!(of_best.gap() > margin) && is_outside(point.position)) return;
    add({is_vertex, v}, *best, closest, of_best.gap(), point.position, of_best.n);
  }

  void on_edge(const EdgeOfFaces& edge, const ShapeFeature& of_mesh, std::uint32_t first_kind) const {
    const double length = (edge.to - edge.from).norm();
    const RoundFeature line{MeshCurve::line, edge.from, (edge.to - edge.from) / length};
    for (const BodyFeature& one : body.features()) {
      const bool is_side = one.feature.curve == MeshCurve::line;
      if (!is_side && one.feature.curve != MeshCurve::circle) continue;
      if (is_side && one.feature.axis.cross(line.axis).norm() < parallel_to_side) continue;
      if (!is_side && is_far_from_rim(edge, one.feature, std::max(reach, deepest))) continue;
      for (const ClosestPair& pair : find_closest_pairs(line, one.feature)) {
        const double s = line.axis.dot(pair.y_a - edge.from);
        if (!is_near_edge(pair.gap()) || !(s > 0 && s < length) ||
            !body.is_within(one, pair.on_b(), margin) || !is_normal_of_edge(edge, -pair.n))
          continue;
        if (!is_side && is_deformable && !is_lowest_on_rim(edge, one.feature, pair.y_b)) continue;
        const std::uint32_t kind = pair.side > 0 ? along : pair.side < 0 ? against : closest;
        add(of_mesh, one, first_kind + kind, pair.gap(), pair.y_a, pair.n);
      }
    }
  }

  bool is_beyond_thin_mesh(const ClosestPair& on_face) const;
  /// Lists the pairs on a quadrilateral, whose triangles are `first` and `first + 1`.
  void on_cell(const TriangleMesh& triangles, Index first) const;
  void choose_rim_point(std::size_t begin, Index rim) const;
  double height_at_begin(const Candidate& of_rim) const;

  /// `triangles` are those of the face.
  void on_face(std::span<const std::array<Vec3, 3>> triangles, const Vec3& normal, Index f) const {
    const RoundFeature plane{MeshCurve::plane, triangles[0][0], normal};
    const double lowest = -body.support_function(-normal);
    const auto offer = [&](const BodyFeature& of_body, const RoundFeature& feature, std::uint32_t kind,
                           bool is_needed) {
      for (const ClosestPair& pair : find_closest_pairs(feature, plane)) {
        const auto is_below = [&](const auto& corners) { return is_over(corners, normal, pair.y_b, margin); };
        if (!is_near(pair.gap(), normal) || lowest < normal.dot(pair.y_a) - reach ||
            std::ranges::none_of(triangles, is_below) || is_beyond_thin_mesh(pair))
          continue;
        add({is_face, f}, of_body, kind, pair.gap(), pair.y_b, -normal, is_needed);
      }
    };
    for (const BodyFeature& one : body.features()) {
      if (one.feature.curve == MeshCurve::point) offer(one, one.feature, closest, false);
      if (one.feature.curve != MeshCurve::circle) continue;
      const RimPoints* points =
          search.points_of_rim({round.surface, one.id}, {mesh, {is_face, f}}, previous, size);
      if (points == nullptr) {
        offer(one, one.feature, closest, false);
        continue;
      }
      for (const std::uint32_t number : points->all) {
        const std::uint32_t kind = first_rim_point + number;
        const Placement place = search.placement(q, round.surface);
        const bool is_lowest = std::ranges::find(points->lowest, number) != points->lowest.end();
        offer(one, search.round_feature({round.surface, one.id}, kind).placed(place.R, place.x), kind,
              is_lowest);
      }
    }
  }
};

// A rim below a thin plate is also behind its upper side. It is outside if the way out through that side enters the
// plate through another one, and does so outside of the round body, which does not pierce the plate there.
bool SurfaceSearch::RoundOnMesh::is_beyond_thin_mesh(const ClosestPair& on_face) const {
  if (on_face.gap() >= -between_points * size) return false;
  const auto is_entered = [&](Index t) {
    const auto entry = find_entry(search.triangle(q, mesh, t), on_face.y_a, on_face.y_b, margin);
    return entry && is_outside(*entry);
  };
  if (search.surfaces_[mesh]->mesh() != nullptr)
    return std::ranges::any_of(std::views::iota(Index{0}, search.triangle_count(mesh)), is_entered);
  const Placement place = search.placement(q, mesh);
  Box way;
  for (const Vec3& x : {on_face.y_a, on_face.y_b}) way.extend(place.R.transpose() * (x - place.x));
  std::vector<Index> near_way;
  search.solids_[mesh].search->find_triangles_in(way, near_way);
  return std::ranges::any_of(near_way, is_entered);
}

void SurfaceSearch::RoundOnMesh::on_cell(const TriangleMesh& triangles, Index first) const {
  const std::size_t begin = near.size();
  std::array<Vec3, 2> normals;
  std::array<Vec3, 3> corners;
  for (const Index side : {Index{1}, Index{0}}) {
    const Index i = first + side;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = search.vertex(q, mesh, triangles.triangles[i][k]);
    Vec3& normal = normals[side];
    normal = search.outward_normal(q, {mesh, {is_face, i}});
    on_face({&corners, 1}, normal, i);
  }
  on_edge({corners[2], corners[0], normals}, {is_face, first}, first_diagonal);
  if (!is_deformable) return;
  for (const Index end : {Index{0}, Index{1}}) choose_rim_point(begin, end);
}

// Of the candidates of a rim on a deformable cell, which begin at `begin`, one is kept, since the nodal forces of a cell
// cannot distinguish more; and a second one on the other triangle of a cell that is bent inward, while it touches there.
void SurfaceSearch::RoundOnMesh::choose_rim_point(std::size_t begin, Index rim) const {
  const auto is_of_others = [&](const Candidate& one) {
    return search.feature_of(one.key.b).feature != ShapeFeature{is_vertex, rim};
  };
  const auto first =
      std::partition(near.begin() + static_cast<std::ptrdiff_t>(begin), near.end(), is_of_others);
  if (near.end() - first <= 1) return;
  const auto is_any = [&](const Candidate& one) {
    return is_rim_point(one) && !one.is_needed && !std::ranges::binary_search(previous, one.key);
  };
  auto chosen = std::all_of(first, near.end(), is_any)
                    ? first + (near.end() - first) / 2  // in the middle of the arc over the cell
                    : std::ranges::min_element(first, near.end(), {}, &Candidate::gap);
  if (search.begin_ == search.end_) {
    // With contact conditions at velocity level the whole rim within the cell remains as deep as its point of contact.
    const double deep = chosen->gap + between_points * size;
    const auto present = std::find_if(first, near.end(), [&](const Candidate& one) {
      return one.gap <= deep && std::ranges::binary_search(previous, one.key);
    });
    if (present != near.end()) chosen = present;
  }
  std::iter_swap(first, chosen);
  auto last = first + 1;
  const double level = std::min(0.0, height_at_begin(*first) + between_points * size) + touching_part * size;
  const auto is_on_other = [&](const Candidate& one) {
    return one.key.kind < first_diagonal && first->key.kind < first_diagonal && one.key.a != first->key.a &&
           std::ranges::binary_search(previous, one.key) && height_at_begin(one) <= level;
  };
  const auto other = std::find_if(last, near.end(), is_on_other);
  if (other != near.end()) std::iter_swap(last++, other);
  near.erase(last, near.end());
}

/// Height of a rim point, or of the lowest point of the rim, above the plane of a face at the start of the step, m.
double SurfaceSearch::RoundOnMesh::height_at_begin(const Candidate& of_rim) const {
  const Configuration& begin = *search.begin_;
  const SurfaceFeature face = search.feature_of(of_rim.key.a);
  const Placement place = search.placement(begin, round.surface);
  const RoundFeature feature =
      search.round_feature(search.feature_of(of_rim.key.b), of_rim.key.kind).placed(place.R, place.x);
  const Vec3 normal = search.outward_normal(begin, face);
  const Index corner = search.surfaces_[mesh]->mesh()->triangles[face.feature.index][0];
  const double height = normal.dot(feature.x - search.vertex(begin, mesh, corner));
  if (feature.curve != MeshCurve::circle) return height;
  return height - feature.radius * normal.cross(feature.axis).norm();
}

void SurfaceSearch::list_round_on_mesh(const Configuration& q, const Part& round, const Part& part,
                                       double reach, std::vector<Candidate>& near) {
  const Surface& surface = *surfaces_[part.surface];
  const RoundSolid& solid = *surfaces_[round.surface]->round_solid();
  const double size = std::min(round.size, part.size);
  body_a_.place(solid, placement(q, round.surface));
  const RoundOnMesh on{.search = *this,
                       .q = q,
                       .round = round,
                       .mesh = part.surface,
                       .body = body_a_,
                       .previous = previous_rounds(part.surface, round.surface),
                       .reach = reach,
                       .deepest = deepest_part * solid.size(),
                       .margin = beyond_border * size,
                       .size = size,
                       .is_deformable = is_deformable(part.surface),
                       .near = near};
  if (const TriangleMesh* mesh = surface.mesh(); mesh != nullptr) {
    const Index i = part.feature.index;
    if (part.role == Role::mesh_node) return on.on_point(point_of(q, part), i);
    if (part.role == Role::mesh_edge) return on.on_edge(edge_of(q, part), part.feature, 0);
    return on.on_cell(*mesh, i - i % 2);
  }
  const Polyhedron& body = *surface.polyhedron();
  const PolyhedronSearch& search = *solids_[part.surface].search;
  const Placement place = placement(q, part.surface);
  Box box;
  for (const MaterialPoint& point : surfaces_[round.surface]->outline())
    box.extend(place.R.transpose() * (point.position(q) - place.x));
  box.min().array() -= std::max(reach, 0.0);
  box.max().array() += std::max(reach, 0.0);
  const auto part_of = [&](ShapeFeature::Kind kind, Index i) {
    return Part{.surface = part.surface, .feature = {kind, i}, .size = part.size};
  };
  search.find_corners_in(box, numbers_);
  for (const Index v : numbers_) on.on_point(point_of(q, part_of(is_vertex, v)), v);
  search.find_edges_in(box, numbers_);
  for (const Index e : numbers_) on.on_edge(edge_of(q, part_of(is_edge, e)), {is_edge, e}, 0);
  search.find_triangles_in(box, numbers_);
  const auto face_of = [&](Index t) { return body.face_of[t]; };
  std::ranges::sort(numbers_, {}, [&](Index t) { return std::pair(face_of(t), t); });
  of_face_.clear();
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    const Index t = numbers_[k], f = face_of(t);
    auto corners = body.corners_of(t);
    for (Vec3& x : corners) x = place.R * x + place.x;
    of_face_.push_back(corners);
    if (k + 1 < numbers_.size() && face_of(numbers_[k + 1]) == f) continue;
    on.on_face(of_face_, place.R * body.faces[f].normal, f);
    of_face_.clear();
  }
}

}  // namespace picus
