#pragma once

/// Closest points of two features of rounded bodies: points, lines, circles and planes. A feature is the envelope of
/// spheres of radius rho centred at the points y(s) of a point, a line or a circle; along a line
/// rho(s) = rho_0 + k s, so that a ball, a capsule, the side of a cylinder (k = 0) and that of a cone with half angle
/// alpha (k = sin alpha) are all exact. With
///
///     D = y_a(s) - y_b(t) = l n,   n . y_a' = rho_a',   n . y_b' = -rho_b',   g = l - rho_a - rho_b
///
/// the gap g is stationary in s and t. Their rates and that of n follow by differentiating these equations.

#include <picus/types.hpp>

#include <Eigen/Core>

#include <array>

namespace picus {

/// A feature in the axes of its body; lines are infinite.
struct RoundFeature {
  /// The type of y(s).
  enum class Curve {
    point,   ///< x
    line,    ///< x + s axis
    circle,  ///< about x, normal to the axis: the rim of a flat end, whose outward normal is the axis
    plane,   ///< through x, with the outward normal `axis`
  };
  Curve curve = Curve::point;
  Vec3 x = Vec3::Zero();      ///< m
  Vec3 axis = Vec3::UnitZ();  ///< unit
  double radius = 0.0;        ///< for a circle its radius; otherwise rho, for a line at x; m, >= 0
  double taper = 0.0;         ///< k, for a line

  /// rho at x; zero for a circle.
  double rho() const { return curve == Curve::circle ? 0.0 : radius; }
  /// Whether it is curved: not a plane, a sharp edge or a sharp corner.
  bool is_curved() const {
    return curve == Curve::circle || (curve != Curve::plane && (radius > 0 || taper != 0));
  }
  /// The feature in other axes, to which its own are rotated by R and displaced by d.
  RoundFeature placed(const Mat3& R, const Vec3& d) const {
    return {curve, d + R * x, R * axis, radius, taper};
  }
};

/// A solution of the equations above.
struct ClosestPair {
  Vec3 n = Vec3::UnitZ();         ///< unit, from b to a
  Vec3 y_a = Vec3::Zero();        ///< y_a(s), m
  Vec3 y_b = Vec3::Zero();        ///< y_b(t), m; for a plane the projection of y_a
  double distance = 0.0;          ///< l, m
  double rho_a = 0.0;             ///< rho_a(s), m
  double rho_b = 0.0;             ///< rho_b(t), m
  Vec3 tangent_a = Vec3::Zero();  ///< y_a', unit; zero for a point
  Vec3 tangent_b = Vec3::Zero();  ///< y_b', likewise
  /// For a circle and a line or two circles, which may touch at two points, as where an edge lies across an end: the
  /// sign of n . (t_1 x t_2) with the circle first, n from the second.
  int side = 0;
  double gap() const { return distance - rho_a - rho_b; }
  /// The contact point on the surface of a.
  Vec3 on_a() const { return y_a - rho_a * n; }
  /// The contact point on the surface of b.
  Vec3 on_b() const { return y_b + rho_b * n; }
};

/// All solutions for a pair.
struct ClosestPairs {
  static constexpr std::size_t max_count = 8;
  std::array<ClosestPair, max_count> all;
  std::size_t count = 0;
  void add(const ClosestPair& pair) {
    if (count < max_count) all[count++] = pair;
  }
  const ClosestPair* begin() const { return all.data(); }
  const ClosestPair* end() const { return all.data() + count; }
};

/// All solutions in which n is within 45 degrees of a normal of the rims, or points outward for lines. Only b may be a
/// plane; a is then a point or a circle, with its point nearest to the plane. Pairs without a unique normal, such as two
/// sharp points, have none. The point of a rim farthest from a sharp line is none either.
ClosestPairs find_closest_pairs(const RoundFeature& a, const RoundFeature& b);

/// The solution on this side (0: either) whose gap is nearest to zero. If there is none, that of the other side; if
/// there is none at all, the direction from b to a, so that equations stay finite even where the contact no longer
/// exists.
ClosestPair find_closest_pair(const RoundFeature& a, const RoundFeature& b, int side);

/// Rates of n and of the contact point P on the surface of a, or of y_a itself, in the axes of b.
struct ClosestPairRates {
  /// Columns: translation of a relative to b, then rotation of a about the origin of b's axes.
  using Matrix = Eigen::Matrix<double, 3, 6>;
  Matrix n = Matrix::Zero();
  Matrix P = Matrix::Zero();
};

/// `at_centre`: P = y_a instead of y_a - rho_a n.
ClosestPairRates find_closest_pair_rates(const RoundFeature& a, const RoundFeature& b,
                                         const ClosestPair& pair, bool at_centre);

/// The point of a circle at angle phi: x + radius (cos phi e_1 + sin phi e_2) with axes e_1, e_2 fixed by the axis.
Vec3 point_on_circle(const RoundFeature& circle, double phi);

/// The angle phi, in [0, 2 pi), of the point of a circle in the direction d.
double angle_on_circle(const RoundFeature& circle, const Vec3& d);

}  // namespace picus
