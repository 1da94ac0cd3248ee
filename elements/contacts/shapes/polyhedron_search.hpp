#pragma once

/// Finds what points and edges of other bodies touch on a polyhedron during a step, all in its axes. Its triangles,
/// convex edges and corners are in trees built once, so that the cost of a search depends only on what is near.

#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/elements/contacts/shapes/edge_crossing.hpp>
#include <picus/elements/contacts/shapes/polyhedron.hpp>
#include <picus/types.hpp>

#include <span>
#include <vector>

namespace picus {

/// A point that moves during a step.
struct MovingPoint {
  TouchingPoint begin;               ///< position and normals at the start of the step
  TouchingPoint end;                 ///< the same at the predicted end
  std::vector<Index> previous = {};  ///< faces with which it had a contact before
};

/// An edge that moves during a step.
struct MovingEdge {
  EdgeOfFaces begin;    ///< at the start of the step
  EdgeOfFaces end;      ///< at its predicted end
  double radius = 0.0;  ///< m
};

/// Which distances count as near in a step.
struct StepLimits {
  double thickness =
      0.0;  ///< m: closer parts count even if they do not move; deeper ones are searched at the start
  double size = 0.0;   ///< m, reference length of tolerances
  bool moves = false;  ///< false: start and end are the same
  bool all = false;    ///< see MeshCandidateOptions
};

/// A point and the feature of the polyhedron that it may touch.
struct PointOnPolyhedron {
  Index point = 0;          ///< its index
  MeshCandidate candidate;  ///< the feature belongs to the polyhedron
};

/// An edge that crosses a convex edge of the polyhedron.
struct EdgeOnPolyhedron {
  Index edge = 0;         ///< its index
  Index own = 0;          ///< index of the edge of the polyhedron
  EdgeCrossing crossing;  ///< the normal points to the given edge
};

class PolyhedronSearch {
 public:
  /// `polyhedron` must stay at its address.
  explicit PolyhedronSearch(const Polyhedron& polyhedron);

  /// For each point the features that it may touch: those near it at the end, or the face that it passes; those at the
  /// start if it is deep inside at the end or near none there.
  std::vector<PointOnPolyhedron> find_points(std::span<const MovingPoint> points,
                                             const StepLimits& limits) const;
  /// The same for edges with sharp or round sides and the convex edges of the polyhedron.
  std::vector<EdgeOnPolyhedron> find_edges(std::span<const MovingEdge> edges, const StepLimits& limits) const;

  /// Replaces `corners` by those of Polyhedron::corners that may lie in a box.
  void find_corners_in(const Box& box, std::vector<Index>& corners) const;
  /// Replaces `edges` by those of Polyhedron::convex_edges that may lie in a box.
  void find_edges_in(const Box& box, std::vector<Index>& edges) const;
  /// Replaces `triangles` by those that may lie in a box.
  void find_triangles_in(const Box& box, std::vector<Index>& triangles) const;
  /// The bounding box, m.
  const Box& bounds() const { return bounds_; }
  /// An edge with its adjacent faces.
  EdgeOfFaces edge(Index e) const;

 private:
  void find_point(const MovingPoint& point, Index number, std::span<const Index> triangles,
                  const StepLimits& limits, std::vector<PointOnPolyhedron>& found) const;

  const Polyhedron* body_;
  Box bounds_;
  BoxTree triangles_, edges_, corners_;
};

}  // namespace picus
