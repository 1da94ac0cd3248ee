#pragma once

#include <picus/types.hpp>
#include <support/evaluate.hpp>

namespace picus::support {

/// The quantities that a beam reports for a point.
struct SectionPoint {
  template <class B>
  SectionPoint(const B& beam, const Vec3& xi, const Configuration& q, const Vector& v) {
    const Vector values = filled(19, 1, [&](auto out) { beam.observe_point(xi, {q, v, 0.0}, out); });
    position = values.segment<3>(0);
    velocity = values.segment<3>(3);
    strain = values.segment<6>(6);
    force = values.segment<6>(12);
    axial_strain = values[18];
  }
  Vec3 position, velocity;
  Eigen::Matrix<double, 6, 1> strain, force;
  double axial_strain;
};

}  // namespace picus::support
