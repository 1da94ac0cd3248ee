// The part of SurfaceSearch for rigid triangle meshes.

#include <picus/elements/contacts/parts/closest_points.hpp>
#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/surface_search.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace picus {
namespace {

/// Contacts closer than this fraction of the smaller size, whose normals differ by less (cosine), are redundant.
constexpr double same_spot = 1e-3;
constexpr double same_way = 0.9987;

/// Two flat faces have contacts at this many corners of one plane, chosen as far from each other as possible, and at
/// others once these have penetrated.
constexpr std::size_t corners_of_plane = 4;
/// Smallest cosine between normals of one plane, and its thickness as a fraction of the smaller size.
constexpr double one_plane = 0.9999;
constexpr double one_level = 1e-3;

Vec3 into_axes(const Placement& place, const Vec3& x) {
  return place.R.transpose() * (x - place.x);
}

TouchingPoint into_axes(const Placement& place, TouchingPoint point) {
  point.position = into_axes(place, point.position);
  for (Vec3& normal : point.normals) normal = place.R.transpose() * normal;
  return point;
}

EdgeOfFaces into_axes(const Placement& place, EdgeOfFaces edge) {
  edge.from = into_axes(place, edge.from);
  edge.to = into_axes(place, edge.to);
  for (Vec3& normal : edge.normals) normal = place.R.transpose() * normal;
  return edge;
}

}  // namespace

void SurfaceSearch::list_polyhedron(Index s) {
  solids_.resize(surfaces_.size());
  const Surface& surface = *surfaces_[s];
  const Polyhedron* body = surface.polyhedron();
  if (body == nullptr) return;
  Solid& solid = solids_[s];
  solid.search = std::make_unique<PolyhedronSearch>(*body);
  for (int i = 0; i < 8; ++i)
    solid.box.push_back(surface.at(solid.search->bounds().corner(static_cast<Box::CornerType>(i))));
  const auto add = [&](Role role, ShapeFeature::Kind kind, Index index) {
    parts_.push_back({s, {kind, index}, body->mean_edge, role});
    nodes_.push_back({});
    if (surface.body().valid()) nodes_.back().push_back(surface.body());
  };
  add(Role::ordinary, is_face, 0);
  if (!has_meshes_) return;
  for (const Index v : body->corners) add(Role::corner, is_vertex, v);
  for (const Index e : body->convex_edges) add(Role::border, is_edge, e);
}

bool SurfaceSearch::is_closed(Index s) const {
  const Surface& surface = *surfaces_[s];
  if (surface.polyhedron() != nullptr) return surface.polyhedron()->is_closed;
  const auto has_two = [](const TriangleMesh::Edge& edge) {
    return edge.triangles[0] >= 0 && edge.triangles[1] >= 0;
  };
  return surface.mesh() != nullptr && std::ranges::all_of(surface.mesh()->edges, has_two);
}

Index SurfaceSearch::triangle_count(Index s) const {
  const Surface& surface = *surfaces_[s];
  return count_of(surface.mesh() != nullptr ? surface.mesh()->triangles
                                            : surface.polyhedron()->mesh.triangles);
}

std::array<Vec3, 3> SurfaceSearch::triangle(const Configuration& q, Index s, Index t) const {
  const Surface& surface = *surfaces_[s];
  const TriangleMesh& mesh = surface.mesh() != nullptr ? *surface.mesh() : surface.polyhedron()->mesh;
  const auto& [i, j, k] = mesh.triangles[t];
  return {vertex(q, s, i), vertex(q, s, j), vertex(q, s, k)};
}

// Points that no other body may enclose: the middle of a cylinder or cone, else vertices, of large meshes some.
std::vector<Vec3> SurfaceSearch::points_inside(const Configuration& q, Index s) const {
  const Surface& surface = *surfaces_[s];
  if (const RoundSolid* round = surface.round_solid(); round != nullptr) {
    const Placement place = placement(q, s);
    return {place.R * (round->centre + round->length / 2 * round->axis) + place.x};
  }
  constexpr std::size_t enough = 64;
  const auto& vertices = surface.vertices();
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < vertices.size(); i += 1 + vertices.size() / enough)
    points.push_back(vertices[i].position(q));
  return points;
}

// A surface wholly inside a closed one may be far from all its triangles.
void SurfaceSearch::refuse_inside(const Configuration& q, double part_of_size) const {
  const std::vector<Index> firsts = first_parts();
  for (const Index part : firsts) {
    const Index solid = parts_[part].surface;
    if (!is_closed(solid)) continue;
    Box bounds;
    for (const MaterialPoint& point : surfaces_[solid]->vertices()) bounds.extend(point.position(q));
    const Polyhedron* rigid = surfaces_[solid]->polyhedron();
    const auto winding = [&](const Vec3& x) {
      if (rigid != nullptr) return rigid->winding(into_axes(placement(q, solid), x));
      double angle = 0;
      for (Index t = 0; t < triangle_count(solid); ++t) angle += solid_angle(triangle(q, solid, t), x);
      return angle / (4 * std::numbers::pi);
    };
    const auto depth_of = [&](const Vec3& x) {
      double depth = infinite;
      if (winding(x) < 0.5) return 0.0;
      for (Index t = 0; t < triangle_count(solid); ++t)
        depth = std::min(depth, find_closest_points(std::array{x}, triangle(q, solid, t)).D.norm());
      return depth;
    };
    for (const Index other : firsts) {
      const Index surface = parts_[other].surface;
      if (surface == solid || !may_touch(other, part)) continue;
      const double limit = part_of_size * size_of_pair(other, part);
      for (const Vec3& x : points_inside(q, surface)) {
        if (!bounds.contains(x) || depth_of(x) <= limit) continue;
        throw ModelError(fmt::format("contact set \"{}\": {} is inside {} at the start", pairs_.name,
                                     surfaces_[surface]->name(), surfaces_[solid]->name()));
      }
    }
  }
}

bool SurfaceSearch::is_polyhedron(Index part) const {
  return parts_[part].role == Role::ordinary && surfaces_[parts_[part].surface]->polyhedron() != nullptr;
}

bool SurfaceSearch::are_on_solid(Index part_a, Index part_b) const {
  return (is_polyhedron(part_a) || is_polyhedron(part_b)) && !is_round(parts_[part_a].surface) &&
         !is_round(parts_[part_b].surface);
}

Box SurfaceSearch::region_of(const StepEnds& step, const Part& part, const Part& solid,
                             double thickness) const {
  const Placement place = placement(step.begin, solid.surface);
  const Placement place_end = placement(step.end, solid.surface);
  const Surface& surface = *surfaces_[part.surface];
  Box box;
  double squared = 0;
  const auto add = [&](const MaterialPoint& point) {
    const Vec3 x = into_axes(place, point.position(step.begin));
    const Vec3 x_end = into_axes(place_end, point.position(step.end));
    box.extend(x);
    box.extend(x_end);
    squared = std::max(squared, (x_end - x).squaredNorm());
  };
  if (surface.polyhedron() != nullptr) {
    for (const MaterialPoint& corner : solids_[part.surface].box) add(corner);
  } else if (part.feature.kind == is_edge) {
    for (const Index i : surface.edges()[part.feature.index]) add(surface.vertices()[i]);
  } else {
    for (const MaterialPoint& corner : surface.vertices()) add(corner);
  }
  const double margin = surface.radius() + thickness + std::sqrt(squared);
  box.min().array() -= margin;
  box.max().array() += margin;
  return box;
}

void SurfaceSearch::list_points_on_solid(const StepEnds& step, std::span<const SurfaceFeature> points,
                                         Index solid, const StepLimits& limits,
                                         std::vector<Candidate>& near) const {
  const Placement place = placement(step.begin, solid);
  const Placement place_end = placement(step.end, solid);
  std::vector<MovingPoint> moving;
  for (const SurfaceFeature& point : points) {
    const Part part{.surface = point.surface, .feature = point.feature, .size = 0};
    MovingPoint& one = moving.emplace_back(MovingPoint{into_axes(place, point_of(step.begin, part)),
                                                       into_axes(place_end, point_of(step.end, part))});
    for (const FeaturePair& pair : previous_of(point.surface, solid)) {
      if (pair.a == point.feature && pair.b.kind == is_face) one.previous.push_back(pair.b.index);
    }
  }
  for (const PointOnPolyhedron& found : solids_[solid].search->find_points(moving, limits)) {
    const MeshCandidate& candidate = found.candidate;
    near.push_back({key_of(points[found.point], {solid, candidate.feature}, closest), candidate.gap,
                    place_end.R * candidate.point + place_end.x, place_end.R * candidate.normal});
  }
}

void SurfaceSearch::list_edges_on_solid(const StepEnds& step, std::span<const SurfaceFeature> edges,
                                        Index solid, const StepLimits& limits,
                                        std::vector<Candidate>& near) const {
  const Placement place = placement(step.begin, solid);
  const Placement place_end = placement(step.end, solid);
  std::vector<MovingEdge> moving;
  for (const SurfaceFeature& edge : edges) {
    const Part part{.surface = edge.surface, .feature = edge.feature, .size = 0};
    moving.push_back({into_axes(place, edge_of(step.begin, part)),
                      into_axes(place_end, edge_of(step.end, part)), surfaces_[edge.surface]->radius()});
  }
  for (const auto& [edge, own, crossing] : solids_[solid].search->find_edges(moving, limits)) {
    const Vec3 normal = place_end.R * crossing.normal;
    // A planar model cannot move in a direction out of its plane.
    if (pairs_.law.sliding.friction_directions == 1 && !ContactDirections::is_in_plane(normal)) continue;
    near.push_back({key_of(edges[edge], {solid, {is_edge, own}}, crossing.is_along ? along : against),
                    crossing.gap, place_end.R * crossing.point + place_end.x, normal});
  }
}

// Corners of the mesh against round and convex bodies, one after another.
void SurfaceSearch::list_corners_of_solid(const StepEnds& step, Index solid, const Part& other,
                                          const StepLimits& limits, std::vector<Candidate>& near) const {
  const bool is_round = other.feature.kind == is_edge;
  const Surface& surface = *surfaces_[solid];
  const auto list = [&](const Configuration& q, const Part& corner, double reach,
                        std::vector<Candidate>& found) {
    return is_round ? list_node_and_capsule(q, corner, other, reach, found)
                    : list_node_and_body(q, corner, other, reach, found);
  };
  // Ropes have no body axes: the motion of a corner in their axes does not contain theirs.
  const double motion = surfaces_[other.surface]->body().valid() ? 0.0 : motion_[&other - parts_.data()];
  const Placement place = placement(step.begin, other.surface);
  const Placement place_end = placement(step.end, other.surface);
  const auto visit = [&](Index v) {
    const Part corner{.surface = solid, .feature = {is_vertex, v}, .size = surface.polyhedron()->mean_edge};
    const Vec3 begin = into_axes(place, vertex(step.begin, solid, v));
    const Vec3 end = into_axes(place_end, vertex(step.end, solid, v));
    const double reach = limits.thickness + (limits.moves ? (end - begin).norm() + motion : 0.0);
    std::vector<Candidate> here, before;
    list(step.end, corner, reach, here);
    const bool is_deep =
        std::ranges::any_of(here, [&](const Candidate& one) { return one.gap < -limits.thickness; });
    if (limits.moves && (is_deep || here.empty())) {
      list(step.begin, corner, reach, before);
      if (!before.empty()) here.swap(before);
    }
    near.insert(near.end(), here.begin(), here.end());
  };
  if (is_half_space(other.surface)) {
    std::ranges::for_each(surface.polyhedron()->corners, visit);
  } else {
    const Part part{.surface = solid, .feature = {is_face, 0}, .size = 0};
    std::vector<Index> corners;
    solids_[solid].search->find_corners_in(region_of(step, other, part, limits.thickness), corners);
    std::ranges::for_each(corners, visit);
  }
}

void SurfaceSearch::list_with_solid(const StepEnds& step, Index part_a, Index part_b,
                                    const StepLimits& limits, std::vector<Candidate>& near) const {
  const Part* a = &parts_[part_a];
  const Part* b = &parts_[part_b];
  if (!is_polyhedron(part_b)) std::swap(a, b);  // b is the mesh
  const Surface& surface = *surfaces_[a->surface];
  std::vector<SurfaceFeature> points, edges;
  if (is_half_space(a->surface)) {
    list_corners_of_solid(step, b->surface, *a, limits, near);
    return;
  }
  if (a->feature.kind == is_vertex) {
    points.push_back({a->surface, a->feature});
  } else if (a->feature.kind == is_edge) {
    for (const Index i : surface.edges()[a->feature.index]) points.push_back({a->surface, {is_vertex, i}});
    edges.push_back({a->surface, a->feature});
    list_corners_of_solid(step, b->surface, *a, limits, near);
  } else if (surface.polytope() != nullptr) {
    for (Index v = 0; v < count_of(surface.vertices()); ++v) points.push_back({a->surface, {is_vertex, v}});
    for (Index e = 0; e < count_of(surface.polytope()->edges); ++e)
      edges.push_back({a->surface, {is_edge, e}});
    list_corners_of_solid(step, b->surface, *a, limits, near);
  } else {
    const Box region_a = region_of(step, *b, *a, limits.thickness);
    const Box region_b = region_of(step, *a, *b, limits.thickness);
    const PolyhedronSearch& search_a = *solids_[a->surface].search;
    const PolyhedronSearch& search_b = *solids_[b->surface].search;
    std::vector<Index> numbers;
    search_a.find_corners_in(region_a, numbers);
    for (const Index v : numbers) points.push_back({a->surface, {is_vertex, v}});
    search_a.find_edges_in(region_a, numbers);
    for (const Index e : numbers) edges.push_back({a->surface, {is_edge, e}});
    std::vector<SurfaceFeature> others;
    search_b.find_corners_in(region_b, numbers);
    for (const Index v : numbers) others.push_back({b->surface, {is_vertex, v}});
    list_points_on_solid(step, others, a->surface, limits, near);
  }
  list_points_on_solid(step, points, b->surface, limits, near);
  list_edges_on_solid(step, edges, b->surface, limits, near);
}

void SurfaceSearch::find_on_solid(const StepEnds& step, std::span<const ContactKey> previous, Index a,
                                  Index b, std::vector<ContactKey>& found) {
  const double size = size_of_pair(a, b);
  const double thickness = skin_of(parts_[a].surface, parts_[b].surface) * size;
  candidates_.clear();
  list_with_solid(step, a, b, {.thickness = thickness, .size = size, .moves = true}, candidates_);
  if (are_bodies(parts_[a].surface, parts_[b].surface)) {
    exclude_seams(step.begin, candidates_);
    remove_duplicates(previous, size, candidates_);
    reduce_contacts_by_plane(previous, size, candidates_);
  }
  for (const Candidate& near : candidates_) found.push_back(near.key);
}

// Cosine between the normals, both taken towards the same body.
double SurfaceSearch::cosine_of(const Candidate& one, const Candidate& other) const {
  const bool is_swapped = feature_of(one.key.a).surface != feature_of(other.key.a).surface;
  return (is_swapped ? -1.0 : 1.0) * one.normal.dot(other.normal);
}

// Where corners of both bodies coincide, or a corner and two edges, one contact replaces several redundant ones. Edge
// contacts have lower priority: two edges may separate while the corner stays.
void SurfaceSearch::remove_duplicates(std::span<const ContactKey> previous, double size,
                                      std::vector<Candidate>& near) const {
  const auto rank = [&](const Candidate& one) {
    return std::pair(std::ranges::binary_search(previous, one.key) ? 0
                     : one.key.kind == closest                     ? 1
                                                                   : 2,
                     one.key);
  };
  std::ranges::sort(near, {}, rank);
  std::vector<Candidate> result;
  for (const Candidate& one : near) {
    const auto is_same = [&](const Candidate& other) {
      return (one.point - other.point).squaredNorm() <= std::pow(same_spot * size, 2) &&
             cosine_of(one, other) >= same_way;
    };
    if (std::ranges::none_of(result, is_same)) result.push_back(one);
  }
  near = std::move(result);
}

void SurfaceSearch::reduce_contacts_by_plane(std::span<const ContactKey> previous, double size,
                                             std::vector<Candidate>& near) const {
  std::ranges::sort(near, {}, [](const Candidate& one) { return std::pair(one.gap, one.key); });
  std::vector<Candidate> result;
  while (!near.empty()) {
    const Candidate least = near.front();
    const auto is_other = [&](const Candidate& one) {
      return cosine_of(one, least) < one_plane ||
             std::abs(least.normal.dot(one.point - least.point)) > one_level * size;
    };
    const auto others = std::stable_partition(near.begin(), near.end(), std::not_fn(is_other));
    std::vector<Candidate> free;
    std::vector<Vec3> places;
    for (auto one = near.begin(); one != others; ++one) {
      if (one->gap <= least.gap + one_level * size && !std::ranges::binary_search(previous, one->key)) {
        free.push_back(*one);
      } else {
        result.push_back(*one);
        places.push_back(one->point);
      }
    }
    while (!free.empty() && places.size() < corners_of_plane) {
      const auto best = std::ranges::max_element(free, {}, [&](const Candidate& one) {
        double nearest = places.empty() ? (one.point - least.point).norm() : infinite;
        for (const Vec3& place : places) nearest = std::min(nearest, (one.point - place).norm());
        return nearest;
      });
      places.push_back(best->point);
      result.push_back(*best);
      free.erase(best);
    }
    near.erase(near.begin(), others);
  }
  near = std::move(result);
}

}  // namespace picus
