// Self-contact: which parts of one surface may touch each other. Connected neighbours may not.

#include <picus/elements/contacts/surface_search.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus {
namespace {

/// Parts of a mesh closer than this multiple of the mean edge length at the start are neighbours, unless they face
/// each other across a gap larger than the second multiple.
constexpr double near_part = 2.0;
constexpr double gap_part = 1e-3;

/// Balls of one set that initially overlap by more than this fraction of their diameter do not touch.
constexpr double overlap_part = 1e-3;

}  // namespace

// In its tightest bend, of the radius of its own surface, a rope touches itself after half a turn.
bool SurfaceSearch::are_apart_on_rope(const Part& a, const Part& b) const {
  const Surface& rope = *surfaces_[a.surface];
  const Configuration& start = model_->initial_configuration();
  const auto length = [&](Index first, Index end) {
    double sum = 0;
    for (Index e = first; e < end; ++e) {
      const auto [i, k] = rope.edges()[e];
      sum += (vertex(start, a.surface, k) - vertex(start, a.surface, i)).norm();
    }
    return sum;
  };
  const auto [first, last] = std::minmax(a.feature.index, b.feature.index);
  const double least = std::numbers::pi * rope.radius();
  if (length(first + 1, last) < least) return false;
  const bool is_closed = rope.edges().front()[0] == rope.edges().back()[1];
  return !is_closed || length(0, first) + length(last + 1, count_of(rope.edges())) >= least;
}

// The opposite side of a thin solid is also near, but its normals point the other way.
bool SurfaceSearch::are_apart_on_mesh(const Part& a, const Part& b) const {
  const Configuration& start = model_->initial_configuration();
  const double mean = mean_edges_[a.surface];
  if (a.feature.kind == is_face || b.feature.kind == is_face) {
    const Part& node = a.feature.kind == is_face ? b : a;
    const Part& face = a.feature.kind == is_face ? a : b;
    const auto& [i, j, k] = surfaces_[face.surface]->mesh()->triangles[face.feature.index];
    const TouchingPoint point = point_of(start, node);
    const NearestOnTriangle nearest = find_nearest(
        {vertex(start, face.surface, i), vertex(start, face.surface, j), vertex(start, face.surface, k)},
        point.position);
    if (nearest.distance >= near_part * mean) return true;
    return nearest.height > gap_part * mean && is_turned_to(point, nearest.normal);
  }
  const EdgeOfFaces edge_a = edge_of(start, a);
  const EdgeOfFaces edge_b = edge_of(start, b);
  const Vec3 way = 0.5 * (edge_a.from + edge_a.to - edge_b.from - edge_b.to);
  const double longest = std::max((edge_a.to - edge_a.from).norm(), (edge_b.to - edge_b.from).norm());
  if (way.norm() >= near_part * mean + longest) return true;
  return way.dot(edge_b.normals[0] + edge_b.normals[1]) > gap_part * mean &&
         way.dot(edge_a.normals[0] + edge_a.normals[1]) < -gap_part * mean;
}

bool SurfaceSearch::are_apart(Index part_a, Index part_b) const {
  const Part& a = parts_[part_a];
  const Part& b = parts_[part_b];
  const Surface& surface = *surfaces_[a.surface];
  if (surface.body().valid()) return false;
  if (surface.mesh() != nullptr) return are_apart_on_mesh(a, b);
  if (a.feature.kind == is_edge && b.feature.kind == is_edge) return are_apart_on_rope(a, b);
  const Configuration& start = model_->initial_configuration();
  const double distance =
      (vertex(start, a.surface, a.feature.index) - vertex(start, b.surface, b.feature.index)).norm();
  return distance >= 2 * surface.radius() * (1 - overlap_part);
}

}  // namespace picus
