#pragma once

/// The closest points of two features of surfaces: points, edges and triangles.

#include <picus/types.hpp>

#include <Eigen/Core>

#include <span>

namespace picus {

/// The points x_i of both features together, those of a first. For the closest points c_a and c_b
///
///     D = c_a - c_b = sum w_i x_i = l n
///
/// where the weights of a sum to 1, those of b to -1, and w_i > 0 on a, < 0 on b, except beyond the ends of lines.
/// Where a closest point lies inside an edge or a face, the weights depend on one or two free coordinates s, which
/// vary with the points; on the boundary they are fixed.
struct ClosestPoints {
  static constexpr Index max_points = 4;
  using Weights = Eigen::Matrix<double, max_points, 1>;
  using WeightRates = Eigen::Matrix<double, max_points, Eigen::Dynamic, Eigen::ColMajor, max_points, 2>;

  Weights w = Weights::Zero();
  WeightRates dw;         ///< dw/ds, one column for each of the zero to two free coordinates
  Vec3 D = Vec3::Zero();  ///< from b to a, m
  Vec3 n = Vec3::Zero();  ///< unit normal from b to a; for a triangle its outward normal, counterclockwise
  double distance = 0.0;  ///< l = n . D, m; negative below a triangle or behind a line
  Index free_coordinates() const { return columns_of(dw); }
};

/// For a point and a point, edge or triangle, or for two edges: `a` has one or two points, `b` one to three, four at
/// most in all. Parallel edges touch in the middle of their overlap.
ClosestPoints find_closest_points(std::span<const Vec3> a, std::span<const Vec3> b);

/// For a point and the unbounded plane of a triangle: the weights on b may have any sign. Two coordinates are free.
ClosestPoints find_plane_point(std::span<const Vec3> a, std::span<const Vec3> b);

/// For the lines through two edges, u and v from their first to their second point, with the normal
///
///     n = sign (u x v)/|u x v|,   sign = +-1,
///
/// so l is negative where a has passed through b. Two coordinates are free. Parallel lines (sine of their
/// angle <= 1e-8) have no such normal: their closest points are those of the edges, as above.
ClosestPoints find_crossing_points(std::span<const Vec3> a, std::span<const Vec3> b, double sign);

}  // namespace picus
