#pragma once

/// What points and edges of other bodies touch of a polyhedron in a step, all in its axes. Its triangles, convex edges and corners stand
/// in trees that are built once, so that a search costs no more than what is near.

#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/elements/contacts/shapes/polyhedron.hpp>
#include <picus/types.hpp>

#include <span>
#include <vector>

namespace picus {

/// A point that moves over a step.
struct MovingPoint {
  TouchingPoint begin;           ///< where it is, and how it is turned
  TouchingPoint end;             ///< the same as predicted
  std::vector<Index> kept = {};  ///< faces that it had before
};

/// An edge that moves over a step.
struct MovingEdge {
  EdgeOfFaces begin;    ///< where it is
  EdgeOfFaces end;      ///< the same as predicted
  double radius = 0.0;  ///< m
};

/// What a step brings near.
struct StepLimits {
  double thickness =
      0.0;  ///< m: nearer parts count, whether they move or not; deeper ones are looked for at the begin
  double size = 0.0;   ///< m, to which tolerances refer
  bool moves = false;  ///< or begin and end are one
  bool all = false;    ///< see MeshTouchOptions
};

/// A point and a feature of the polyhedron.
struct PointOnPolyhedron {
  Index point = 0;  ///< which one
  MeshTouch touch;  ///< the feature is one of the polyhedron
};

/// An edge and a convex edge of the polyhedron that cross.
struct EdgeOnPolyhedron {
  Index edge = 0;         ///< which one
  Index own = 0;          ///< that of the polyhedron
  EdgeCrossing crossing;  ///< the normal points to `edge`
};

class PolyhedronSearch {
 public:
  /// `polyhedron` stays where it is.
  explicit PolyhedronSearch(const Polyhedron& polyhedron);

  /// Of each point the features that it may touch: those that it is near at the end, or that it passes; at the begin if it is deep
  /// inside at the end.
  std::vector<PointOnPolyhedron> touch(std::span<const MovingPoint> points, const StepLimits& limits) const;
  /// The same of edges with sharp or round sides and convex edges.
  std::vector<EdgeOnPolyhedron> cross(std::span<const MovingEdge> edges, const StepLimits& limits) const;

  /// Which of Polyhedron::corners may be in a box.
  std::vector<Index> corners_in(const Box& box) const;
  /// Which of Polyhedron::convex_edges may be in a box.
  std::vector<Index> edges_in(const Box& box) const;
  /// All around it, m.
  const Box& bounds() const { return bounds_; }
  /// With the faces beside it.
  EdgeOfFaces edge(Index e) const;

 private:
  void touch_one(const MovingPoint& point, Index number, std::span<const std::array<Index, 2>> triangles,
                 const StepLimits& limits, std::vector<PointOnPolyhedron>& found) const;

  const Polyhedron* body_;
  Box bounds_;
  BoxTree triangles_, edges_, corners_;
};

}  // namespace picus
