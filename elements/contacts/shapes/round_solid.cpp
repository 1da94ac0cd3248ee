#include <picus/elements/contacts/shapes/round_solid.hpp>

#include <algorithm>
#include <cmath>

namespace picus {

RoundFeature RoundSolid::rim(Index i) const {
  if (!has_rim(i)) return {RoundFeature::Curve::point, end(i)};
  return {RoundFeature::Curve::circle, end(i), end_normal(i), radii[i]};
}

// The sphere that touches the side at the rim of end 0 has the radius r_0/cos(alpha) and its centre on the axis, r_0
// tan(alpha) further in; at z = 0 therefore rho = r_0 cos(alpha).
RoundFeature RoundSolid::side() const {
  const double growth = radii[1] - radii[0];
  const double slant = std::hypot(length, growth);
  return {RoundFeature::Curve::line, centre, axis, radii[0] * length / slant, growth / slant};
}

bool RoundSolid::is_beside(const Vec3& x, double margin) const {
  const double z = axis.dot(x - centre);
  return z >= -margin && z <= length + margin;
}

bool RoundSolid::is_on_end(Index i, const Vec3& x, double margin) const {
  const Vec3 d = x - end(i);
  return (d - d.dot(axis) * axis).norm() <= radii[i] + margin;
}

double RoundSolid::support_function(const Vec3& n) const {
  const double along = n.dot(axis);
  const double across = (n - along * axis).norm();
  return n.dot(centre) + std::max(radii[0] * across, along * length + radii[1] * across);
}

}  // namespace picus
