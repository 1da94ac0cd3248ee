#pragma once

/// Tangential directions for a normal n in any direction.

#include <picus/types.hpp>

#include <span>

namespace picus {

/// e_1 and e_2 are carried from a fixed pole p to n without spin, e = t - (t . n)(p + n)/(1 + p . n), and are
/// singular only at n = -p. The pole lies in no coordinate plane. With one friction direction, for models in the x-y
/// plane, e_1 = n x z.
class ContactDirections {
 public:
  ContactDirections() = default;
  /// `count` is the number of friction directions, 0 to 2.
  explicit ContactDirections(Index count) : count_(count) {}

  /// e_k, k = 1 or 2, for the normal n.
  Vec3 tangent(const Vec3& n, Index k) const;
  /// The derivative de_k/dn.
  Mat3 tangent_gradient(const Vec3& n, Index k) const;
  /// sum p_k e_k over the friction directions, and its derivative with respect to n; p_0 belongs to n.
  struct Friction {
    Vec3 force;
    Mat3 gradient;
  };
  Friction friction(const Vec3& n, std::span<const double> p) const;
  /// n, e_1 and e_2 as columns; absent directions are zero.
  Mat3 axes(const Vec3& n) const;

  /// Whether a single friction direction, for models in the x-y plane, exists for this normal.
  static bool is_in_plane(const Vec3& n);

 private:
  Index count_ = 2;
};

}  // namespace picus
