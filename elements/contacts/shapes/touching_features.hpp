#pragma once

/// Which features of two convex bodies a step may bring into contact, as seen at a configuration near its end. Each pair is then a
/// contact of its own, with the gap of these features, for the whole step.
///
/// Two polytopes A and B are apart by
///
///     s(n) = min over A of n . x - max over B of n . x
///
/// along n, from B to A. Axes are the normals of the faces of A - B: those of the faces of A and B, and those of two edges,
/// n = +-(e_a x e_b)/|e_a x e_b|, if A lies above and B below the plane through these. The best one has the greatest s, s_max. Where
/// the bodies overlap, s_max < 0 is the least way out and no direction at all has more; where they do not, s_max is at most their
/// distance, and less for bodies that are nearest at a corner or at parallel edges.
///
/// What is listed holds up the bodies along nearly the same direction as the best axis: corners of one on a face of the other, and
/// edges that cross, so a box flat on a table has the corners of its overlap with the table.

#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/types.hpp>

#include <array>
#include <compare>
#include <optional>
#include <span>
#include <vector>

namespace picus {

/// Where a shape is: x = R X + x_0 of a point X in its axes.
struct Placement {
  Mat3 R = Mat3::Identity();  ///< from its axes to inertial ones
  Vec3 x = Vec3::Zero();      ///< m
};

/// The features of a pair, which name a contact from step to step.
struct FeaturePair {
  ShapeFeature a;  ///< of the first shape
  ShapeFeature b;  ///< of the second shape

  /// By that of a, then by that of b.
  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  auto operator<=>(const FeaturePair&) const = default;
};

/// A pair of features that may touch.
struct Touch {
  FeaturePair features;         ///< which two
  double gap = 0.0;             ///< m, along the normal, negative where they overlap
  Vec3 point = Vec3::Zero();    ///< in the middle of the gap
  Vec3 normal = Vec3::UnitZ();  ///< unit, from b to a
};

/// What counts as near.
struct TouchOptions {
  double reach = 0.0;         ///< m, >= 0: what is farther apart is not listed
  double direction = 0.5236;  ///< rad: how far a normal may be from the best axis; 30 degrees
  /// How far beyond its borders a face or an edge reaches; part of the size of the smaller shape.
  double margin = 1e-9;
  double same_place = 1e-3;      ///< nearer points are one contact; part of the size of the smaller shape
  double same_direction = 0.05;  ///< rad: if their normals differ by less
  double tie = 1e-9;  ///< axes this near to s_max are as good; part of the size of the smaller shape
  /// The choice of the step before, which is kept among features that are as good.
  std::span<const FeaturePair> previous = {};
};

/// How far two shapes are apart.
struct Separation {
  double distance = 0.0;        ///< s_max, m; negative where the shapes overlap
  Vec3 normal = Vec3::UnitZ();  ///< the axis, unit, from b to a
};

/// By the best axis. `a` has vertices, `b` may be a half-space.
Separation find_separation(const Polytope& a, const Placement& place_a, const Polytope& b,
                           const Placement& place_b);

/// Nothing where s_max > reach. Else, of directions n at most `direction` from the best axis and with s(n) >= s_max - reach,
///
///  * a vertex of one and a face of the other with the normal +-n, whose plane is less than `reach` away from it, if it projects into
///    the face; of several faces the one that it is farthest out of, as the body is convex;
///  * an edge of a and an edge of b with n = +-(e_a x e_b)/|e_a x e_b|, if the closest points of their lines are within both and less
///    than `reach` apart, and A and B no farther than `reach` beyond the plane through them. Nearly parallel edges (sine < 1e-3)
///    are left out: what they bound is listed by its ends.
///
/// Of those with one place and one normal a previous one is kept, else a vertex of a on a face of b before a face of a under a
/// vertex of b before edges. They are sorted by their features.
///
/// Bodies that touch at edges or corners only, so that either of two axes farther than `direction` apart parts them by s_max > -tie,
/// have no contact: the one that is needed shows once they overlap. `a` has vertices, `b` may be a half-space.
std::vector<Touch> find_touching_features(const Polytope& a, const Placement& place_a, const Polytope& b,
                                          const Placement& place_b, const TouchOptions& options);

/// A sphere, of which vertex 0 is `centre` (m, inertial axes), with the nearest feature of b.
std::optional<Touch> find_touching_feature(const Vec3& centre, double radius, const Polytope& b,
                                           const Placement& place_b, const TouchOptions& options);

/// A capsule, edge 0 from vertex 0 to vertex 1 (m, inertial axes), less than `reach` from
///
///  * the nearest feature of b, for each end,
///  * each edge of b that it crosses and each vertex of b beside it, where the way between the closest points is a normal of b, or
///    would be with b cut off by `reach`. An edge that the axis of the capsule has passed counts as long as its normal is at most
///    `direction` from the best axis. Nearly parallel edges are left out: the ends are there.
std::vector<Touch> find_touching_features(const std::array<Vec3, 2>& ends, double radius, const Polytope& b,
                                          const Placement& place_b, const TouchOptions& options);

}  // namespace picus
