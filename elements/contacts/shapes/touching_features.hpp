#pragma once

/// The features of two convex bodies that may come into contact in a step, found at a configuration near its end.
/// Each pair becomes a contact of its own, with the gap between these features, for the whole step.
///
/// The separation of two polytopes A and B along n, from B to A, is
///
///     s(n) = min over A of n . x - max over B of n . x
///
/// The candidate axes are the normals of the faces of A - B: those of the faces of A and B, and those of two edges,
/// n = +-(e_a x e_b)/|e_a x e_b|, if A lies above and B below the plane through them. The best axis is the one with
/// the largest s, s_max. If the bodies overlap, s_max < 0 is minus the penetration depth and the maximum over all
/// directions; if they do not, s_max is at most their distance, and less for bodies that are closest at a corner or
/// at parallel edges.
///
/// The result contains the pairs that support the bodies along nearly the best axis: vertices of one on a face of the
/// other, and edges that cross; for a box flat on a table, the corners of the area where they overlap.

#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/types.hpp>

#include <array>
#include <compare>
#include <optional>
#include <span>
#include <vector>

namespace picus {

/// Position and orientation of a shape: x = R X + x_0 for a point X in its axes.
struct Placement {
  Mat3 R = Mat3::Identity();  ///< from its axes to inertial ones
  Vec3 x = Vec3::Zero();      ///< m
};

/// The features of a pair, which identify a contact from step to step.
struct FeaturePair {
  ShapeFeature a;  ///< of the first shape
  ShapeFeature b;  ///< of the second shape

  /// Ordered by the feature of a, then by that of b.
  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  auto operator<=>(const FeaturePair&) const = default;
};

/// A pair of features that may touch.
struct FeatureCandidate {
  FeaturePair features;         ///< the two features
  double gap = 0.0;             ///< m, along the normal, negative for a penetration
  Vec3 point = Vec3::Zero();    ///< midpoint of the gap
  Vec3 normal = Vec3::UnitZ();  ///< unit, from b to a
};

/// Distances and angles that count as near.
struct FeatureCandidateOptions {
  double reach = 0.0;         ///< m, >= 0: pairs that are farther apart are not listed
  double direction = 0.5236;  ///< rad: largest angle between a normal and the best axis; 30 degrees
  /// Extension of faces and edges beyond their boundary; fraction of the size of the smaller shape.
  double margin = 1e-9;
  double same_place = 1e-3;      ///< closer points are one contact; fraction of the size of the smaller shape
  double same_direction = 0.05;  ///< rad: if the angle between their normals is less
  double tie = 1e-9;  ///< axes this close to s_max are equivalent; fraction of the size of the smaller shape
  /// The result of the previous step, which is preferred among equivalent features.
  std::span<const FeaturePair> previous = {};
};

/// The separation of two shapes.
struct Separation {
  double distance = 0.0;        ///< s_max, m; negative where the shapes overlap
  Vec3 normal = Vec3::UnitZ();  ///< the axis, unit, from b to a
};

/// The separation along the best axis. `a` has vertices, `b` may be a half-space.
Separation find_separation(const Polytope& a, const Placement& place_a, const Polytope& b,
                           const Placement& place_b);

/// Empty if s_max > reach. Otherwise, for directions n within `direction` of the best axis and with
/// s(n) >= s_max - reach,
///
///  * a vertex of one and a face of the other with the normal +-n, whose plane is less than `reach` away from it, if it
///    projects into the face; of several such faces the one with the largest gap, since the body is convex;
///  * an edge of a and an edge of b with n = +-(e_a x e_b)/|e_a x e_b|, if the closest points of their lines are within
///    both and less than `reach` apart, and A and B extend at most `reach` beyond the plane through them. Nearly
///    parallel edges (sine < 1e-3) are left out: their contact is represented by their ends.
///
/// Of those with the same position and normal, a previous one is kept, else a vertex of a on a face of b, then a face
/// of a under a vertex of b, then edges. They are sorted by their features.
///
/// Bodies that touch only at edges or corners, so that two axes farther than `direction` apart both separate them
/// with s_max > -tie, have no contact: the relevant axis becomes clear once they overlap. `a` has vertices, `b` may
/// be a half-space.
std::vector<FeatureCandidate> find_touching_features(const Polytope& a, const Placement& place_a,
                                                     const Polytope& b, const Placement& place_b,
                                                     const FeatureCandidateOptions& options);

/// A sphere, as vertex 0 at `centre` (m, inertial axes), and the nearest feature of b.
std::optional<FeatureCandidate> find_touching_feature(const Vec3& centre, double radius, const Polytope& b,
                                                      const Placement& place_b,
                                                      const FeatureCandidateOptions& options);

/// A capsule, as edge 0 from vertex 0 to vertex 1 (m, inertial axes), closer than `reach` to
///
///  * the nearest feature of b, for each end,
///  * each edge of b that it crosses and each vertex of b beside it, if the line between the closest points is a normal
///    of b to within `reach`. An edge that the axis of the capsule has passed counts as long as its normal is within
///    `direction` of the best axis. Nearly parallel edges are left out: the ends represent them.
std::vector<FeatureCandidate> find_touching_features(const std::array<Vec3, 2>& ends, double radius,
                                                     const Polytope& b, const Placement& place_b,
                                                     const FeatureCandidateOptions& options);

}  // namespace picus
