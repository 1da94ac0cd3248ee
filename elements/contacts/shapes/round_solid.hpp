#pragma once

/// A solid of revolution with flat ends and sharp rims, a cylinder, cone or frustum, in its own axes: about the axis
/// from the centre of end 0 to that of end 1, with a radius at each end, one of which may be 0, the tip of a cone.
///
/// Its features are the ends (planes bounded by their rims), the rims (circles, or the tip) and the side (a line with
/// a radius, closest_pair.hpp).

#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/types.hpp>

#include <array>

namespace picus {

struct RoundSolid {
  Vec3 centre = Vec3::Zero();     ///< of end 0, m
  Vec3 axis = Vec3::UnitZ();      ///< unit, to end 1
  double length = 0.0;            ///< m, > 0
  std::array<double, 2> radii{};  ///< of the ends, m, >= 0, at least one > 0

  /// The radius of the larger end, m.
  double largest_radius() const { return radii[0] > radii[1] ? radii[0] : radii[1]; }
  /// The smaller of its length and its diameter, m.
  double size() const { return length < 2 * largest_radius() ? length : 2 * largest_radius(); }
  /// Centre of end 0 or 1, m.
  Vec3 end(Index i) const { return i == 0 ? centre : Vec3(centre + length * axis); }
  /// The outward normal of an end.
  Vec3 end_normal(Index i) const { return i == 0 ? Vec3(-axis) : axis; }
  /// Whether the end has a rim and a flat face.
  bool has_rim(Index i) const { return radii[i] > 0; }
  /// The circle of an end, or the tip.
  RoundFeature rim(Index i) const;
  /// The plane of an end.
  RoundFeature face(Index i) const { return {RoundFeature::Curve::plane, end(i), end_normal(i)}; }
  /// The side, as the envelope of spheres centred on the axis.
  RoundFeature side() const;
  /// Whether a point on the envelope of the side lies between the ends, or at most `margin` (m) beyond one of them.
  bool is_beside(const Vec3& x, double margin) const;
  /// Whether a point in the plane of an end lies within its rim, or at most `margin` (m) beyond it.
  bool is_on_end(Index i, const Vec3& x, double margin) const;
  /// The support function max n . x, m.
  double support_function(const Vec3& n) const;
};

}  // namespace picus
