#pragma once

/// What beams report about the point at offset r = (0, y, z) in one of their rigid sections:
///
///     x_P = x + A r,   v_P = u + A (Omega x r),   axial strain = (Gamma + Kappa x r)_t

#include <picus/elements/beams/section.hpp>
#include <picus/observable.hpp>

#include <span>
#include <vector>

namespace picus {

/// A section in motion: its centroid and its axes (t, d1, d2) as columns.
struct SectionMotion {
  Vec3 x;      ///< m
  Mat3 axes;   ///< (t, d1, d2)
  Vec3 u;      ///< m/s, inertial axes
  Vec3 omega;  ///< rad/s, section axes
};

/// position, velocity, strain, section_force, axial_strain.
inline std::vector<Quantity> section_point_quantities() {
  return {{"position", {3}, "m", "in the inertial frame"},
          {"velocity", {3}, "m/s", "in the inertial frame"},
          {"strain",
           {6},
           "1,1,1,1/m,1/m,1/m",
           "of the section: elongation, shear along d1 and d2, twist, curvature about d1 and d2"},
          {"section_force",
           {6},
           "N,N,N,N m,N m,N m",
           "of the section: N, V1, V2, T, M1, M2 in section axes (t, d1, d2)"},
          {"axial_strain", {}, "1", "elongation of the fibre along the beam through the point"}};
}

/// Writes these quantities for y = xi[1] and z = xi[2].
inline void observe_section_point(const SectionMotion& section, const Vec6& strain, const Vec6& resultant,
                                  const Vec3& xi, std::span<double> values) {
  const Vec3 r(0.0, xi[1], xi[2]);
  auto vector = vector_view<19>(values);
  vector.segment<3>(0) = section.x + section.axes * r;
  vector.segment<3>(3) = section.u + section.axes * section.omega.cross(r);
  vector.segment<6>(6) = strain;
  vector.segment<6>(12) = resultant;
  vector[18] = strain[0] + strain.tail<3>().cross(r)[0];
}

/// Whether xi[0] lies between the ends, 0 and 1, and the offset is finite. It may lie outside the section, whose outline
/// is not part of the data of a beam.
inline bool is_section_point(const Vec3& xi) {
  constexpr double slack = 1e-9;
  return xi[0] >= -slack && xi[0] <= 1 + slack && xi.allFinite();
}

}  // namespace picus
