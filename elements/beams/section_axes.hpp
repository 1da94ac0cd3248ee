#pragma once

/// Checks of the section frames that users give to beams and their builders.

#include <picus/checks.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

namespace picus {

/// Upper limit of the initial relative rotation of neighbouring sections of an element, rad: close to pi a deforming
/// element might exceed pi.
inline constexpr double max_rotation = 3.0;

/// Throws ModelError unless `axes` is a proper rotation to 1e-9.
inline void require_axes(const Culprit& who, std::string_view what, const Mat3& axes) {
  const double defect = (axes.transpose() * axes - Mat3::Identity()).norm();
  if (!(defect <= 1e-9) || axes.determinant() < 0) {
    throw ModelError(who.text() + ": " + std::string(what) + " is not a proper orthogonal matrix");
  }
}

/// The axes (t, d1, d2), with d1 along the component of `orientation` normal to the unit vector t; throws ModelError
/// if there is none.
inline Mat3 section_axes(const Culprit& who, const Vec3& t, const Vec3& orientation) {
  const Vec3 wanted = require_direction(who, "orientation", orientation);
  const Vec3 normal = wanted - wanted.dot(t) * t;
  // Below this the remainder of a vector given in single precision has no meaningful direction.
  if (normal.norm() < 1e-6) throw ModelError(who.text() + ": orientation is parallel to the beam");
  Mat3 axes;
  axes.col(0) = t;
  axes.col(1) = (normal - normal.dot(t) * t).normalized();
  axes.col(2) = t.cross(axes.col(1));
  return axes;
}

/// Whether the relative rotation of axes A and B is max_rotation or more: tr(A^T B) = 1 + 2 cos(angle).
inline bool exceeds_max_rotation(const Mat3& A, const Mat3& B) {
  constexpr double cosine = -0.98999249660044546;  // of max_rotation
  return !(A.cwiseProduct(B).sum() > 1 + 2 * cosine);
}

/// For Limited::fault(): the predicate of a sentence about an element whose sections `which` have the axes A and B.
inline std::string rotation_fault(std::string_view which, const Mat3& A, const Mat3& B) {
  return fmt::format(
      "has {} turned against each other by {:.4g} rad, must be less than {}: more elements are needed", which,
      so3::log(Mat3(A.transpose() * B)).norm(), max_rotation);
}

}  // namespace picus
