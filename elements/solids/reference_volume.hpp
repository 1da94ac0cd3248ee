#pragma once

/// Data that a hexahedron stores about its reference configuration; the shape functions are in hexahedron_shape.hpp,
/// which only source files need.

#include <picus/types.hpp>

#include <array>

namespace picus::solids {

/// Positions or gradients at the corners: one row per corner, each coordinate contiguous in memory.
using Corners = Eigen::Matrix<double, 8, 3>;

inline constexpr std::size_t point_count = 8;

/// Precomputed data for the integrals over the reference volume.
struct ReferenceVolume {
  std::array<Corners, point_count> gradient;  ///< G = dN_a/dX at the Gauss points
  std::array<double, point_count> weight;     ///< det dX/dxi times the Gauss weight, m3

  explicit ReferenceVolume(const Corners& X);
  double volume() const {
    double sum = 0;
    for (const double w : weight) sum += w;
    return sum;
  }
};

}  // namespace picus::solids
