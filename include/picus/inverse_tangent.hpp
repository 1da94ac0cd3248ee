#pragma once

/// T(psi)^-1 with its first and second derivatives, evaluated together for elements that need all of them:
///
///     T^-1 b  = E b + psi x b/2,   T^-T b = E b - psi x b/2,   E = I + e psi^ psi^ (symmetric),
///
/// with e(a) = 1/a^2 - cot(a/2)/(2 a), a = |psi| < 2 pi. With e_1 = e'/a and e_2 = e_1'/a, which are also smooth and
/// positive, and psi^ psi^ b = psi x (psi x b):
///
///     Q(b) = d(E b)/dpsi = -e (psi^ b^ + (psi x b)^) + e_1 (psi^ psi^ b) psi^T
///     Q(b) c             = e (psi x (c x b) + c x (psi x b)) + e_1 (psi . c) psi^ psi^ b
///     Y(c) b = Q(b) c, a symmetric matrix Y: the rate of E along c
///     Z(b, c) = d(Q(b) c)/dpsi
///
/// so that d(T^-1 b)/dpsi = Q(b) - b^/2 and d(T^-T b)/dpsi = Q(b) + b^/2.

#include <picus/types.hpp>

#include <Eigen/Geometry>

namespace picus::so3 {

class InverseTangent {
 public:
  /// At the rotation vector psi, rad, |psi| < 2 pi.
  explicit InverseTangent(const Vec3& psi);

  /// E b.
  Vec3 even(const Vec3& b) const { return b + e_ * psi_.cross(psi_.cross(b)); }
  /// T^-1 b.
  Vec3 apply(const Vec3& b) const { return even(b) + 0.5 * psi_.cross(b); }
  /// T^-T b.
  Vec3 apply_transposed(const Vec3& b) const { return even(b) - 0.5 * psi_.cross(b); }
  /// Q(b) c.
  Vec3 even_rate(const Vec3& b, const Vec3& c) const;

  /// T^-1.
  Mat3 matrix() const;
  /// Y(c).
  Mat3 rate_matrix(const Vec3& c) const;
  /// Q(b).
  Mat3 derivative(const Vec3& b) const;
  /// Z(b, c).
  Mat3 second_derivative(const Vec3& b, const Vec3& c) const;

 private:
  Vec3 psi_;
  double e_;
  double e_1_;
  double e_2_;
};

}  // namespace picus::so3
