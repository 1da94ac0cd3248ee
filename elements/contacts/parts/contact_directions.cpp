#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>

#include <cmath>

namespace picus {
namespace {

/// The pole p and two directions normal to it: (2, 3, 6)/7 and companions, an orthonormal triad without zeros.
Mat3 pole_triad() {
  Mat3 triad;
  triad << 2, 3, 6,  //
      3, -6, 2,      //
      6, 2, -3;
  return triad / 7.0;
}

}  // namespace

Vec3 ContactDirections::tangent(const Vec3& n, Index k) const {
  if (count_ == 1) return n.cross(Vec3::UnitZ()).normalized();
  const Mat3 triad = pole_triad();
  const Vec3 p = triad.col(0);
  const Vec3 t = triad.col(k);
  return t - t.dot(n) / (1 + p.dot(n)) * (p + n);
}

Mat3 ContactDirections::tangent_gradient(const Vec3& n, Index k) const {
  if (count_ == 1) {
    const Vec3 y = n.cross(Vec3::UnitZ());
    const Vec3 e = y.normalized();
    return (Mat3::Identity() - e * e.transpose()) * so3::skew(-Vec3::UnitZ()) / y.norm();
  }
  const Mat3 triad = pole_triad();
  const Vec3 p = triad.col(0);
  const Vec3 t = triad.col(k);
  const double c = 1 + p.dot(n);
  const double s = t.dot(n) / c;
  Mat3 result = (p + n) * (s * p - t).transpose() / c;
  result.diagonal().array() -= s;
  return result;
}

ContactDirections::Friction ContactDirections::friction(const Vec3& n, std::span<const double> p) const {
  Friction sum{.force = Vec3::Zero(), .gradient = Mat3::Zero()};
  for (Index k = 1; k <= count_; ++k) {
    const double p_k = p[k];
    sum.force += p_k * tangent(n, k);
    sum.gradient += p_k * tangent_gradient(n, k);
  }
  return sum;
}

Mat3 ContactDirections::axes(const Vec3& n) const {
  Mat3 result = Mat3::Zero();
  result.col(0) = n;
  for (Index k = 1; k <= count_; ++k) result.col(k) = tangent(n, k);
  return result;
}

bool ContactDirections::is_in_plane(const Vec3& n) {
  return std::abs(n.z()) <= 0.9995;  // 1.8 degrees from z
}

}  // namespace picus
