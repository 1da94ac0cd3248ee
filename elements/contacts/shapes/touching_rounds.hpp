#pragma once

/// The features of two convex bodies, one of them round, that may come into contact in a step; the counterpart of
/// touching_features.hpp, which is for bodies with flat faces.
///
/// The separation of the bodies along n is s(n) = min over A of n . x - max over B of n . x, and s_max is its maximum
/// over n. The candidate axes are the normals of flat faces and those of pairs of features (closest_pair.hpp), which
/// include all maxima of s if the bodies overlap.
///
/// The lowest point of a rim over a plane is one contact. If both are nearly parallel, that point moves around the
/// rim with the slightest motion, and the body stands on several points: then body-fixed points of the rim, numbered
/// by their angle, replace it.

#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/elements/contacts/shapes/round_solid.hpp>
#include <picus/elements/contacts/shapes/touching_features.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace picus {

/// Number of points of a rim: point i is at the angle 2 pi i/rim_points of point_on_circle(), in the axes of the
/// body.
inline constexpr std::uint32_t rim_points = 1U << 16U;

/// A feature of a convex body at its current position, with its extent.
struct BodyFeature {
  ShapeFeature id;       ///< for a round solid: vertices are rims and tips, edge 0 its side, faces its ends
  RoundFeature feature;  ///< inertial axes
  double length = 0.0;   ///< of a line starting at x, m
  Vec3 first = Vec3::Zero();  ///< of a rim: direction of point 0
};

/// A convex body at its current position, one of three kinds, with features in inertial axes. One that is placed again
/// reuses its memory.
class ConvexBody {
 public:
  /// Without features until place() is called.
  ConvexBody() = default;
  /// A body with flat faces.
  ConvexBody(const Polytope& polytope, const Placement& place) { this->place(polytope, place); }
  /// A cylinder or cone.
  ConvexBody(const RoundSolid& solid, const Placement& place) { this->place(solid, place); }

  /// A body with flat faces.
  void place(const Polytope& polytope, const Placement& place);
  /// A cylinder or cone.
  void place(const RoundSolid& solid, const Placement& place);
  /// A ball, or a capsule with vertices 0 and 1 and edge 0. `features` gives the ids of the vertices, then of the
  /// edge.
  void place(std::span<const Vec3> centres, double radius, std::span<const ShapeFeature> features);

  /// All features.
  const std::vector<BodyFeature>& features() const { return features_; }
  /// The support function max n . x; infinite for a half-space except along its normal.
  double support_function(const Vec3& n) const;
  /// Whether a point on the surface of a feature lies within its extent.
  bool is_within(const BodyFeature& one, const Vec3& point, double margin) const;

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
  FeaturePair features;                    ///< the two features
  int side = 0;                            ///< ClosestPair::side
  std::optional<std::uint32_t> rim_point;  ///< point of the rim, one of rim_points, instead of the lowest one
  double gap = 0.0;                        ///< m
  Vec3 point = Vec3::Zero();               ///< m, inertial axes
  Vec3 normal = Vec3::UnitZ();             ///< unit, from b to a
};

/// Distances that count as near.
struct RoundCandidateOptions {
  double reach = 0.0;  ///< m: pairs that are farther apart are not listed
  double size = 0.0;   ///< m, of the smaller body, reference length of tolerances
  /// Indices of the rim points that represent a rim over a plane, vertex `rim` of one body and face `plane` of the
  /// other, valid until the next call; nullopt: its lowest point represents it.
  std::function<std::optional<std::span<const std::uint32_t>>(bool rim_is_of_a, Index rim, Index plane)>
      points_of_rim;
  /// Whether a pair was chosen in the previous step.
  std::function<bool(const RoundCandidate&)> was_chosen;
};

/// The search for pairs of features. One that is used again reuses its memory.
class TouchingRounds {
 public:
  TouchingRounds();  ///< allocates no memory
  ~TouchingRounds();
  TouchingRounds(TouchingRounds&& other) noexcept;  ///< `other` may only be destroyed afterwards
  TouchingRounds& operator=(TouchingRounds&&) = delete;
  TouchingRounds(const TouchingRounds&) = delete;
  TouchingRounds& operator=(const TouchingRounds&) = delete;

  /// Empty if s_max > reach, or if the bodies touch such that two directions separate them equally well. Otherwise the
  /// pairs that support them along nearly the best axis (30 degrees) closer than `reach`, one for each position and
  /// normal. Valid until the next call.
  std::span<const RoundCandidate> find(const ConvexBody& a, const ConvexBody& b,
                                       const RoundCandidateOptions& options);

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

/// The same, for a single pair.
std::vector<RoundCandidate> find_touching_rounds(const ConvexBody& a, const ConvexBody& b,
                                                 const RoundCandidateOptions& options);

}  // namespace picus
