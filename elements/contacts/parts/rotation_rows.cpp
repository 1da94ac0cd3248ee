#include <picus/elements/contacts/parts/rotation_rows.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>

namespace picus {

RotationRows::RotationRows(const ContactLaw& law, double drilling_radius, double rolling_arm)
    : drilling_rows_(law.has_drilling ? 1 : 0),
      rolling_rows_(law.rolling_directions),
      drilling_length_(drilling_radius),
      rolling_length_(law.mu > 0 ? rolling_arm / law.mu : 0.0) {}

Vec3 RotationRows::lever(const ContactDirections& directions, const Vec3& n, Index i) const {
  if (i < drilling_rows_) return drilling_length_ * n;
  return rolling_length_ * n.cross(directions.tangent(n, i - drilling_rows_ + 1));
}

RotationRows::Moment RotationRows::moment(const ContactDirections& directions, const Vec3& n,
                                          std::span<const double> p) const {
  Moment sum{.moment = Vec3::Zero(), .gradient = Mat3::Zero()};
  const std::span<const double> own = p.last(count());
  for (Index i = 0; i < count(); ++i) {
    sum.moment += own[i] * lever(directions, n, i);
    if (i < drilling_rows_) {
      sum.gradient.diagonal().array() += own[i] * drilling_length_;
      continue;
    }
    const Index k = i - drilling_rows_ + 1;
    sum.gradient += own[i] * rolling_length_ *
                    (so3::skew(n) * directions.tangent_gradient(n, k) - so3::skew(directions.tangent(n, k)));
  }
  return sum;
}

}  // namespace picus
