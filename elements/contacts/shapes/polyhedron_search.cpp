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

std::vector<Index> numbers_in(const BoxTree& tree, const Box& box, const std::vector<Index>& numbers) {
  BoxTree one;
  one.build(std::span(&box, 1));
  std::vector<std::array<Index, 2>> pairs;
  one.find_pairs(tree, pairs);
  std::vector<Index> result;
  for (const auto& [first, i] : pairs) result.push_back(numbers[i]);
  return result;
}

}  // namespace

PolyhedronSearch::PolyhedronSearch(const Polyhedron& polyhedron) : body_(&polyhedron) {
  std::vector<Box> boxes;
  for (Index t = 0; t < count_of(body_->mesh.triangles); ++t) {
    Box& box = boxes.emplace_back();
    const Vec3 way = body_->mesh.depths[t] * body_->faces[body_->face_of[t]].normal;
    // Extended to both sides: points below the top face are distinguished from points above the bottom face by
    // looking at both.
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

std::vector<Index> PolyhedronSearch::corners_in(const Box& box) const {
  return numbers_in(corners_, box, body_->corners);
}

std::vector<Index> PolyhedronSearch::edges_in(const Box& box) const {
  return numbers_in(edges_, box, body_->convex_edges);
}

std::vector<Index> PolyhedronSearch::triangles_in(const Box& box) const {
  BoxTree one;
  one.build(std::span(&box, 1));
  std::vector<std::array<Index, 2>> pairs;
  one.find_pairs(triangles_, pairs);
  std::vector<Index> result;
  for (const auto& [first, t] : pairs) result.push_back(t);
  return result;
}

EdgeOfFaces PolyhedronSearch::edge(Index e) const {
  const Polyhedron::Edge& edge = body_->edges[e];
  EdgeOfFaces result{.from = body_->vertices[edge.vertices[0]], .to = body_->vertices[edge.vertices[1]]};
  for (std::size_t k = 0; k < 2; ++k)
    result.normals[k] = edge.faces[k] < 0 ? Vec3(Vec3::Zero()) : body_->faces[edge.faces[k]].normal;
  return result;
}

void PolyhedronSearch::find_point(const MovingPoint& point, Index number,
                                  std::span<const std::array<Index, 2>> triangles, const StepLimits& limits,
                                  std::vector<PointOnPolyhedron>& found) const {
  std::vector<PlacedTriangle> placed;
  std::vector<ShapeFeature> previous;
  for (const auto& [i, t] : triangles) {
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
    if (!before.empty()) candidates.swap(before);
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
  if (points.empty()) return found;
  std::vector<Box> boxes;
  for (const MovingPoint& point : points) {
    const double motion = (point.end.position - point.begin.position).norm();
    boxes.push_back(
        around({point.begin.position, point.end.position}, point.end.radius + limits.thickness + motion));
  }
  BoxTree tree;
  tree.build(boxes);
  std::vector<std::array<Index, 2>> pairs;
  tree.find_pairs(triangles_, pairs);
  for (std::size_t first = 0; first < pairs.size();) {
    std::size_t end = first + 1;
    while (end < pairs.size() && pairs[end][0] == pairs[first][0]) ++end;
    const Index i = pairs[first][0];
    find_point(points[i], i, std::span(pairs).subspan(first, end - first), limits, found);
    first = end;
  }
  return found;
}

std::vector<EdgeOnPolyhedron> PolyhedronSearch::find_edges(std::span<const MovingEdge> edges,
                                                           const StepLimits& limits) const {
  std::vector<EdgeOnPolyhedron> found;
  if (edges.empty()) return found;
  std::vector<Box> boxes;
  for (const MovingEdge& edge : edges) {
    boxes.push_back(around({edge.begin.from, edge.begin.to, edge.end.from, edge.end.to},
                           edge.radius + limits.thickness + motion_of(edge)));
  }
  BoxTree tree;
  tree.build(boxes);
  std::vector<std::array<Index, 2>> pairs;
  tree.find_pairs(edges_, pairs);
  for (const auto& [i, place] : pairs) {
    const MovingEdge& moving = edges[i];
    const Index e = body_->convex_edges[place];
    const EdgeOfFaces own = edge(e);
    const double reach = limits.thickness + (limits.moves ? motion_of(moving) : 0.0);
    const auto at = [&](const EdgeOfFaces& there) {
      auto crossing = find_edge_crossing(there, moving.radius, own);
      return crossing && crossing->gap < reach ? crossing : std::nullopt;
    };
    auto crossing = at(moving.end);
    if (limits.moves && (!crossing || crossing->gap < -limits.thickness)) {
      if (const auto before = at(moving.begin)) crossing = before;
    }
    if (crossing) found.push_back({i, e, *crossing});
  }
  return found;
}

}  // namespace picus
