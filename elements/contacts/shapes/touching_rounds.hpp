#pragma once

/// Which features of two convex bodies, one of them round, a step may bring into contact; as touching_features.hpp does it for
/// bodies with flat faces.
///
/// Bodies are apart by s(n) = min over A of n . x - max over B of n . x along n, and s_max is the greatest of all n. Axes that are
/// tried are the normals of flat faces and those of pairs of features (round_touch.hpp), which include all at which s has a maximum
/// where the bodies overlap.
///
/// The lowest point of a rim over a plane is one contact. Where both are nearly parallel that point runs about the rim with the
/// least motion, and a body stands on several: then points of the rim, fixed to the body, take its place, numbered by their angle.

#include <picus/elements/contacts/parts/round_touch.hpp>
#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/elements/contacts/shapes/round_solid.hpp>
#include <picus/elements/contacts/shapes/touching_features.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace picus {

/// Points of a rim: number i is at the angle 2 pi i/rim_points of point_on_circle(), with the axes of the body.
inline constexpr std::uint32_t rim_points = 1U << 16U;

/// A feature of a convex body where this is, with what bounds it.
struct BodyFeature {
  ShapeFeature id;       ///< of a round solid: vertices are rims and tips, edge 0 its side, faces its ends
  RoundFeature feature;  ///< inertial axes
  double length = 0.0;   ///< of a line from x on, m
  Vec3 first = Vec3::Zero();  ///< of a rim: direction of point 0
};

/// A convex body and where it is: one of three, with features in inertial axes.
class ConvexBody {
 public:
  /// With flat faces.
  ConvexBody(const Polytope& polytope, const Placement& place);
  /// A cylinder or cone.
  ConvexBody(const RoundSolid& solid, const Placement& place);
  /// A ball, or a capsule with vertices 0 and 1 and edge 0. `features` names the vertices, then the edge.
  ConvexBody(std::span<const Vec3> centres, double radius, std::span<const ShapeFeature> features);

  /// All of it.
  const std::vector<BodyFeature>& features() const { return features_; }
  /// Greatest n . x; infinite for a half-space but along its normal.
  double reach(const Vec3& n) const;
  /// Whether a point on the surface of a feature lies within its borders.
  bool is_within(const BodyFeature& feature, const Vec3& point, double margin) const;

 private:
  const Polytope* polytope_ = nullptr;
  const RoundSolid* solid_ = nullptr;
  Placement place_;
  std::vector<Vec3> centres_;
  double radius_ = 0.0;
  std::vector<BodyFeature> features_;
};

/// A pair of features that may touch.
struct RoundCandidate {
  FeaturePair features;                    ///< which two
  int side = 0;                            ///< RoundTouch::side
  std::optional<std::uint32_t> rim_point;  ///< of the rim, one of rim_points, instead of its lowest one
  double gap = 0.0;                        ///< m
  Vec3 point = Vec3::Zero();               ///< m, inertial axes
  Vec3 normal = Vec3::UnitZ();             ///< unit, from b to a
};

/// What counts as near.
struct RoundTouchOptions {
  double reach = 0.0;  ///< m: what is farther apart is not listed
  double size = 0.0;   ///< m, of the smaller body, to which tolerances refer
  /// Numbers of the points that stand for a rim over a plane, of vertex `rim` of the one body and face `plane` of the other; none: its
  /// lowest point does.
  std::function<std::optional<std::vector<std::uint32_t>>(bool rim_is_of_a, Index rim, Index plane)>
      points_of_rim;
  /// Whether a pair was chosen in the step before.
  std::function<bool(const RoundCandidate&)> was_chosen;
};

/// Nothing where s_max > reach, or where the bodies touch so that two directions part them as well. Else what supports them along
/// nearly the best axis (30 degrees), nearer than `reach`, one of each place and normal.
std::vector<RoundCandidate> find_touching_rounds(const ConvexBody& a, const ConvexBody& b,
                                                 const RoundTouchOptions& options);

}  // namespace picus
