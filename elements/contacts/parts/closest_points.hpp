#pragma once

/// The closest points of two features of surfaces: points, edges and triangles.

#include <picus/types.hpp>

#include <Eigen/Core>

#include <span>

namespace picus {

/// The points x_i of both features together, those of a first. With the closest points c_a and c_b
///
///     D = c_a - c_b = sum w_i x_i = l n
///
/// where the sum over a is 1, over b -1, and w_i > 0 on a, < 0 on b but beyond the ends of lines. Where a closest point lies inside an
/// edge or a face, the weights depend on one or two coordinates s that are free to follow the points; at the border they are fixed.
struct ClosestPoints {
  static constexpr Index most_points = 4;
  using Weights = Eigen::Matrix<double, most_points, 1>;
  using WeightRates = Eigen::Matrix<double, most_points, Eigen::Dynamic, Eigen::ColMajor, most_points, 2>;

  Weights w = Weights::Zero();
  WeightRates dw;         ///< dw/ds, a column for each free coordinate: none to two
  Vec3 D = Vec3::Zero();  ///< from b to a, m
  Vec3 n = Vec3::Zero();  ///< unit normal from b to a; of a triangle its outer one, counter-clockwise
  double distance = 0.0;  ///< l = n . D, m; negative below a triangle and behind a line
  Index free_coordinates() const { return static_cast<Index>(dw.cols()); }
};

/// Of a point and a point, edge or triangle, or of two edges: `a` has one or two points, `b` one to three, at most four in all.
/// Edges that are parallel touch in the middle of where they overlap.
ClosestPoints find_closest_points(std::span<const Vec3> a, std::span<const Vec3> b);

/// Of a point and the plane of a triangle, which has no borders then: the weights on b may have any sign. Two coordinates are free.
ClosestPoints find_plane_point(std::span<const Vec3> a, std::span<const Vec3> b);

/// Of the lines through two edges, u and v from their first to their second point, with the normal
///
///     n = sign (u x v)/|u x v|,   sign = +-1,
///
/// so l is negative where a has passed b. Two coordinates are free. Lines that are parallel (sine of their angle <= 1e-8) have no such
/// normal: their closest points are those of the edges, as above.
ClosestPoints find_crossing_points(std::span<const Vec3> a, std::span<const Vec3> b, double sign);

}  // namespace picus
