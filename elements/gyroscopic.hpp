#pragma once

/// The gyroscopic moment -Omega x J Omega of bodies and sections whose inertia is not that of a sphere.

#include <picus/elements/skew_products.hpp>
#include <picus/so3.hpp>
#include <picus/types.hpp>

#include <limits>

namespace picus {

/// Whether all principal moments of J are equal up to rounding, so that Omega x J Omega vanishes.
inline bool is_spherical(const Mat3& J) {
  return (J - J(0, 0) * Mat3::Identity()).norm() <= 4 * std::numeric_limits<double>::epsilon() * J.norm();
}

/// -d(-Omega x J Omega)/dOmega
inline Mat3 gyroscopic_damping(const Mat3& J, const Vec3& Omega) {
  return -times_skew(J, Omega).transpose() - so3::skew(J * Omega);
}

}  // namespace picus
