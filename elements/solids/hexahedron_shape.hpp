#pragma once

/// The trilinear hexahedron on the cube [-1, 1]^3: N_a(xi) = (1 + xi_a xi)(1 + eta_a eta)(1 + zeta_a zeta)/8.
/// Corners: the face zeta = -1 counterclockwise as seen from inside, then the four of the opposite face (the order of
/// VTK and Gmsh).

#include <picus/elements/solids/reference_volume.hpp>

#include <array>

namespace picus::solids {

inline constexpr std::array<std::array<double, 3>, 8> corner_signs = {
    {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};

inline Vec3 corner(std::size_t a) {
  return {corner_signs[a][0], corner_signs[a][1], corner_signs[a][2]};
}

/// The values N_a(xi).
using ShapeValues = Eigen::Matrix<double, 8, 1>;
inline ShapeValues shape(const Vec3& xi) {
  ShapeValues N;
  for (std::size_t a = 0; a < 8; ++a) {
    N[a] = (1 + corner(a).array() * xi.array()).prod() / 8;
  }
  return N;
}

/// dN_a/dxi.
inline Corners shape_gradient(const Vec3& xi) {
  Corners dN;
  for (std::size_t a = 0; a < 8; ++a) {
    const Vec3 s = corner(a);
    const Vec3 factor = 1 + s.array() * xi.array();
    dN.row(a) << s[0] * factor[1] * factor[2] / 8, s[1] * factor[0] * factor[2] / 8,
        s[2] * factor[0] * factor[1] / 8;
  }
  return dN;
}

/// dX/dxi of the element with corners X.
inline Mat3 jacobian(const Corners& X, const Vec3& xi) {
  return X.transpose() * shape_gradient(xi);
}

inline constexpr double gauss_coordinate = 0.57735026918962576451;  ///< 1/sqrt(3)

/// The points of the 2 x 2 x 2 Gauss rule in the order of the corners; their weights are 1.
inline Vec3 gauss_point(std::size_t g) {
  return gauss_coordinate * corner(g);
}

}  // namespace picus::solids
