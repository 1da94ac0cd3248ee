#pragma once

/// The rotation group SO(3) with body-frame (left-trivialised) increments:
///
///     R(Theta + dTheta) = R exp(dTheta^)
///
/// Notation: a^ is the skew matrix of a (a^ b = a x b), psi a rotation vector, a = |psi| its angle in
/// radians. All functions are smooth through a = 0 (series below a small angle) and written free of
/// cancellation, e.g. (1 - cos a)/a^2 as 2 sin^2(a/2)/a^2.

#include <picus/types.hpp>

/// Functions of the rotation group SO(3).
namespace picus::so3 {

/// The skew matrix a^ with a^ b = a x b.
Mat3 skew(const Vec3& a);

/// exp(psi^) = I + sin(a)/a psi^ + (1 - cos a)/a^2 psi^ psi^ (Rodrigues).
Mat3 exp(const Vec3& psi);

/// The rotation vector of R with |log R| <= pi, so that exp(log R) = R; accurate over the whole range
/// including both ends. At exactly pi either of the two opposite vectors may be returned. R must be
/// orthogonal to rounding.
Vec3 log(const Mat3& R);

/// T(psi) = I - (1 - cos a)/a^2 psi^ + (a - sin a)/a^3 psi^ psi^, the right Jacobian: a change dpsi of the exponent
/// rotates the body by dTheta = T(psi) dpsi, measured in the rotated frame.
Mat3 tangent(const Vec3& psi);

/// T(psi)^-1 = I + psi^/2 + (1/a^2 - cot(a/2)/(2 a)) psi^ psi^, for |psi| < 2 pi.
Mat3 tangent_inverse(const Vec3& psi);

/// d(T(psi) b)/dpsi, a 3 x 3 matrix (b held constant).
Mat3 tangent_derivative(const Vec3& psi, const Vec3& b);

/// d(T(psi)^-1 b)/dpsi, a 3 x 3 matrix (b held constant), for |psi| < 2 pi.
Mat3 tangent_inverse_derivative(const Vec3& psi, const Vec3& b);

/// Unit quaternion (w, x, y, z) of R, with w >= 0.
Eigen::Vector4d quaternion(const Mat3& R);

/// Rotation matrix of the quaternion (w, x, y, z), which is normalised first. Throws ModelError if it is zero or not
/// finite.
Mat3 rotation(const Eigen::Vector4d& quaternion);

/// The rotation nearest to R for an R that is orthogonal up to rounding errors: one Newton step of the polar
/// decomposition, R (3 I - R^T R)/2, whose error is of second order in that of R.
Mat3 orthonormalized(const Mat3& R);

}  // namespace picus::so3
