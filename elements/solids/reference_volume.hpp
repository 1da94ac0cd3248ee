#pragma once

/// What a hexahedron keeps of its reference; hexahedron_shape.hpp has the shape functions, for sources.

#include <picus/types.hpp>

#include <array>

namespace picus::solids {

/// Positions or gradients at the corners: a row a corner, each coordinate contiguous.
using Corners = Eigen::Matrix<double, 8, 3>;

inline constexpr std::size_t point_count = 8;

/// What the integrals over the reference volume need, computed once.
struct ReferenceVolume {
  std::array<Corners, point_count> gradient;  ///< G = dN_a/dX at the points
  std::array<double, point_count> weight;     ///< det dX/dxi times the weight, m3

  explicit ReferenceVolume(const Corners& X);
  double volume() const {
    double sum = 0;
    for (const double w : weight) sum += w;
    return sum;
  }
};

}  // namespace picus::solids
