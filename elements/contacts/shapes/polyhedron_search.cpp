#include <picus/elements/contacts/shapes/polyhedron_search.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <optional>

namespace picus {
namespace {

/// Box around several positions of a moving point.
Box around(std::initializer_list<Vec3> places, double margin) {
  Box box;
  for (const Vec3& x : places) box.extend(x);
  box.min().array() -= margin;
  box.max().array() += margin;
  return box;
}

double motion_of(const MovingEdge& edge) {
  return std::max((edge.end.from - edge.begin.from).norm(), (edge.end.to - edge.begin.to).norm());
}

void find_numbers_in(const BoxTree& tree, const Box& box, const std::vector<Index>& numbers,
                     std::vector<Index>& found) {
  tree.find_overlapping(box, found);
  for (Index& i : found) i = numbers[i];
}

}  // namespace

PolyhedronSearch::PolyhedronSearch(const Polyhedron& polyhedron) : body_(&polyhedron) {
  std::vector<Box> boxes;
  for (Index t = 0; t < count_of(body_->mesh.triangles); ++t) {
    Box& box = boxes.emplace_back();
    const Vec3 way = body_->mesh.depths[t] * body_->faces[body_->face_of[t]].normal;
    // Extended to both sides: whether a point inside belongs to the top or the bottom face is decided by comparing
    // both.
    for (const Vec3& x : body_->corners_of(t)) {
      box.extend(x + way);
      box.extend(x - way);
    }
  }
  triangles_.build(boxes);
  boxes.clear();
  for (const Index e : body_->convex_edges) {
    const auto& [from, to] = body_->edges[e].vertices;
    boxes.push_back(around({body_->vertices[from], body_->vertices[to]}, 0));
  }
  edges_.build(boxes);
  boxes.clear();
  for (const Index v : body_->corners) boxes.push_back(around({body_->vertices[v]}, 0));
  corners_.build(boxes);
  for (const Vec3& x : body_->vertices) bounds_.extend(x);
}

void PolyhedronSearch::find_corners_in(const Box& box, std::vector<Index>& corners) const {
  find_numbers_in(corners_, box, body_->corners, corners);
}

void PolyhedronSearch::find_edges_in(const Box& box, std::vector<Index>& edges) const {
  find_numbers_in(edges_, box, body_->convex_edges, edges);
}

void PolyhedronSearch::find_triangles_in(const Box& box, std::vector<Index>& triangles) const {
  triangles_.find_overlapping(box, triangles);
}

EdgeOfFaces PolyhedronSearch::edge(Index e) const {
  const Polyhedron::Edge& edge = body_->edges[e];
  EdgeOfFaces result{.from = body_->vertices[edge.vertices[0]], .to = body_->vertices[edge.vertices[1]]};
  for (std::size_t k = 0; k < 2; ++k) {
    if (edge.faces[k] < 0) continue;
    result.normals[k] = body_->faces[edge.faces[k]].normal;
    result.depths[k] = body_->mesh.depths[body_->mesh.edges[e].triangles[k]];
  }
  return result;
}

void PolyhedronSearch::find_point(const MovingPoint& point, Index number, std::span<const Index> triangles,
                                  const StepLimits& limits, std::vector<PointOnPolyhedron>& found) const {
  std::vector<PlacedTriangle> placed;
  std::vector<ShapeFeature> previous;
  placed.reserve(triangles.size());
  for (const Index t : triangles) {
    placed.push_back({t, body_->corners_of(t)});
    if (std::ranges::find(point.previous, body_->face_of[t]) != point.previous.end())
      previous.push_back({ShapeFeature::Kind::face, t});
  }
  MeshCandidateOptions options{
      .reach = limits.thickness, .size = limits.size, .all = limits.all, .previous = previous};
  if (limits.moves) {
    if (const auto passed = find_passed(placed, placed, point.begin, point.end, options)) {
      const Index f = body_->face_of[*passed];
      const Polyhedron::Face& face = body_->faces[f];
      const double height = face.normal.dot(point.end.position) - face.offset;
      found.push_back({number,
                       {{ShapeFeature::Kind::face, f},
                        height - point.end.radius,
                        point.end.position - height * face.normal,
                        face.normal}});
      return;
    }
  }
  options.reach += (point.end.position - point.begin.position).norm();
  std::vector<MeshCandidate> candidates = find_mesh_candidates(body_->mesh, placed, point.end, options);
  const bool is_deep = std::ranges::any_of(
      candidates, [&](const MeshCandidate& candidate) { return candidate.gap < -limits.thickness; });
  if (limits.moves && (is_deep || candidates.empty())) {
    std::vector<MeshCandidate> before = find_mesh_candidates(body_->mesh, placed, point.begin, options);
    if (before.empty()) {
      std::erase_if(candidates, [&](const MeshCandidate& one) {
        return is_unpassed(one.feature.kind, one.gap, point.end.radius, options.reach);
      });
    } else {
      candidates.swap(before);
    }
  }
  const std::size_t first = found.size();
  for (MeshCandidate& candidate : candidates) {
    if (candidate.feature.kind == ShapeFeature::Kind::face)
      candidate.feature.index = body_->face_of[candidate.feature.index];
    const bool is_double = std::any_of(
        found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
        [&](const PointOnPolyhedron& other) { return other.candidate.feature == candidate.feature; });
    if (!is_double) found.push_back({number, candidate});
  }
}

std::vector<PointOnPolyhedron> PolyhedronSearch::find_points(std::span<const MovingPoint> points,
                                                             const StepLimits& limits) const {
  std::vector<PointOnPolyhedron> found;
  std::vector<Index> triangles;
  for (Index i = 0; i < count_of(points); ++i) {
    const MovingPoint& point = points[i];
    const double motion = (point.end.position - point.begin.position).norm();
    const double margin = point.end.radius + limits.thickness + motion;
    triangles_.find_overlapping(around({point.begin.position, point.end.position}, margin), triangles);
    if (!triangles.empty()) find_point(point, i, triangles, limits, found);
  }
  return found;
}

std::vector<EdgeOnPolyhedron> PolyhedronSearch::find_edges(std::span<const MovingEdge> edges,
                                                           const StepLimits& limits) const {
  std::vector<EdgeOnPolyhedron> found;
  std::vector<Index> places;
  for (Index i = 0; i < count_of(edges); ++i) {
    const MovingEdge& moving = edges[i];
    const double motion = motion_of(moving);
    const double reach = limits.thickness + (limits.moves ? motion : 0.0);
    edges_.find_overlapping(around({moving.begin.from, moving.begin.to, moving.end.from, moving.end.to},
                                   moving.radius + limits.thickness + motion),
                            places);
    for (const Index place : places) {
      const Index e = body_->convex_edges[place];
      const EdgeOfFaces own = edge(e);
      const auto at = [&](const EdgeOfFaces& there) {
        auto crossing = find_edge_crossing(there, moving.radius, own);
        return crossing && crossing->gap < reach ? crossing : std::nullopt;
      };
      auto crossing = at(moving.end);
      if (crossing && limits.moves && are_beyond(moving.begin, own, crossing->is_along)) crossing.reset();
      if (limits.moves && (!crossing || crossing->gap < -limits.thickness)) {
        if (const auto before = at(moving.begin)) crossing = before;
      }
      if (crossing) found.push_back({i, e, *crossing});
    }
  }
  return found;
}

}  // namespace picus
