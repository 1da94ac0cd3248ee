#pragma once

/// Directions of friction across a normal n that may point anywhere.

#include <picus/types.hpp>

#include <span>

namespace picus {

/// e_1 and e_2 follow n from a fixed pole p without turning about it, e = t - (t . n)(p + n)/(1 + p . n), and lose their
/// sense only at n = -p. The pole is a direction in no plane of coordinates. With one direction of friction, for models in the
/// plane x-y, e_1 = n x z.
class ContactDirections {
 public:
  ContactDirections() = default;
  /// 0 to 2.
  explicit ContactDirections(Index count) : count_(count) {}

  /// e_k, k = 1 or 2.
  Vec3 tangent(const Vec3& n, Index k) const;
  /// de_k/dn
  Mat3 tangent_gradient(const Vec3& n, Index k) const;
  /// sum p_k e_k over the directions of friction, and its derivative with respect to n; p_0 is that of n.
  struct Friction {
    Vec3 force;
    Mat3 gradient;
  };
  Friction friction(const Vec3& n, std::span<const double> p) const;
  /// n, e_1 and e_2 as columns; those that there are not are zero.
  Mat3 axes(const Vec3& n) const;

  /// Whether one direction, for models in the plane x-y, exists for a normal.
  static bool is_in_plane(const Vec3& n);

 private:
  Index count_ = 2;
};

}  // namespace picus
