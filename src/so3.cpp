#include <picus/error.hpp>
#include <picus/inverse_tangent.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>

// All coefficients are products of f_n(h) = j_n(h)/h^n of the half angle h = a/2, with j_n the spherical
// Bessel functions: f_0 = sin(h)/h, f_1 = (sin h - h cos h)/h^3, and f_(n-1) = (2 n + 1) f_n - h^2 f_(n+1),
// where f_(-1) = cos h. The products are chosen so that no sum in them cancels by more than a factor 2 at
// small angles:
//
//   sin(a)/a                          c_1 = f_0 cos h
//   (1 - cos a)/a^2                   c_2 = f_0^2/2
//   (a - sin a)/a^3                   c_3 = (f_0^2 - f_1 cos h)/4
//   1/a^2 - cot(a/2)/(2 a)            e   = f_1/(4 f_0)
//   c_2'(a)/a                             = -f_0 f_1/4
//   c_3'(a)/a                             = (f_2 cos h - f_0 f_1)/16
//   e'(a)/a                     e_1       = (2 f_1 f_2 + h^2 (f_2^2 - f_1 f_3))/(16 f_0^2)
//   e_1'(a)/a                             = (h^2 (f_1 f_4 - f_2 f_3) - 4 f_1 f_3)/(64 f_0^2) + e_1 f_1/(2 f_0)

namespace picus::so3 {
namespace {

/// 1/(2^k k! (2 n + 2 k + 1)!!) with alternating sign: the Taylor coefficients of f_n in x = h^2.
template <int order, std::size_t terms>
constexpr std::array<double, terms> bessel_coefficients() {
  std::array<double, terms> result{};
  double denominator = 1;
  for (int i = 3; i <= 2 * order + 1; i += 2) denominator *= i;
  for (std::size_t k = 0; k < terms; ++k) {
    result[k] = 1 / denominator;
    denominator *= -2.0 * static_cast<double>(k + 1) * static_cast<double>(2 * (order + k) + 3);
  }
  return result;
}

template <int order, std::size_t terms>
double bessel_series(double x) {
  static constexpr std::array<double, terms> c = bessel_coefficients<order, terms>();
  double sum = c[terms - 1];
  for (std::size_t k = terms - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// The coefficients that require only cos h, f_0 and f_1.
struct HalfAngle {
  double x;  ///< h^2
  double cos;
  double f_0;
  double f_1;

  double c_1() const { return f_0 * cos; }
  double c_2() const { return f_0 * f_0 / 2; }
  double c_3() const { return (f_0 * f_0 - f_1 * cos) / 4; }
  double c_2_slope() const { return -f_0 * f_1 / 4; }
  double e() const { return f_1 / (4 * f_0); }
};

/// The coefficients that also require f_2 and f_3.
struct HalfAngleDerivatives : HalfAngle {
  double f_2;
  double f_3;

  double c_3_slope() const { return (f_2 * cos - f_0 * f_1) / 16; }
  double e_slope() const { return (2 * f_1 * f_2 + x * (f_2 * f_2 - f_1 * f_3)) / (16 * f_0 * f_0); }
};

/// The coefficients that also require f_4, for |psi| < 2 pi.
struct HalfAngleSecondDerivatives : HalfAngleDerivatives {
  double f_4;

  double e_second_slope() const {
    const double curvature = x * (f_1 * f_4 - f_2 * f_3) - 4 * f_1 * f_3;
    return curvature / (64 * f_0 * f_0) + e_slope() * f_1 / (2 * f_0);
  }
};

HalfAngle closed_form(double x) {
  const double h = std::sqrt(x);
  const double cos = std::cos(h);
  const double f_0 = std::sin(h) / h;
  return {x, cos, f_0, (f_0 - cos) / x};
}

HalfAngle half_angle(const Vec3& psi) {
  const double x = psi.squaredNorm() / 4;
  // x <= 1: the first neglected terms, 1/19! and 20/21!, are below eps/20 of the sums. Above, cancellation in f_1 is
  // less than a factor 5.
  if (x > 1) return closed_form(x);
  const double f_0 = bessel_series<0, 9>(x);
  const double f_1 = bessel_series<1, 9>(x);
  return {x, f_0 - x * f_1, f_0, f_1};
}

HalfAngleDerivatives half_angle_derivatives(const Vec3& psi) {
  const double x = psi.squaredNorm() / 4;
  // The recursion is stable downward for h below about n and upward above it, so the series serves all |psi|
  // < 2 pi (x < pi^2). First neglected term of f_2 at x = 10: 5^14/(14! 33!!) = 1.1e-20 < eps f_2/200.
  if (x > 10) {
    const HalfAngle half = closed_form(x);
    const double f_2 = (3 * half.f_1 - half.f_0) / x;
    return {half, f_2, (5 * f_2 - half.f_1) / x};
  }
  const double f_3 = bessel_series<3, 14>(x);
  const double f_2 = bessel_series<2, 14>(x);
  const double f_1 = 5 * f_2 - x * f_3;
  const double f_0 = 3 * f_1 - x * f_2;
  return {{x, f_0 - x * f_1, f_0, f_1}, f_2, f_3};
}

/// For x < pi^2, where the recursion is stable downward. First neglected terms as above.
HalfAngleSecondDerivatives half_angle_second_derivatives(double x) {
  const double f_4 = bessel_series<4, 13>(x);
  const double f_3 = bessel_series<3, 13>(x);
  const double f_2 = 7 * f_3 - x * f_4;
  const double f_1 = 5 * f_2 - x * f_3;
  const double f_0 = 3 * f_1 - x * f_2;
  return {{{x, f_0 - x * f_1, f_0, f_1}, f_2, f_3}, f_4};
}

/// I + b psi^ + c psi^ psi^.
Mat3 quadratic(const Vec3& psi, double b, double c) {
  const double xx = c * psi.x() * psi.x();
  const double yy = c * psi.y() * psi.y();
  const double zz = c * psi.z() * psi.z();
  const double xy = c * psi.x() * psi.y();
  const double xz = c * psi.x() * psi.z();
  const double yz = c * psi.y() * psi.z();
  const Vec3 v = b * psi;
  Mat3 result;
  result << 1 - (yy + zz), xy - v.z(), xz + v.y(),  //
      xy + v.z(), 1 - (xx + zz), yz - v.x(),        //
      xz - v.y(), yz + v.x(), 1 - (xx + yy);
  return result;
}

/// d(c(a) psi^ psi^ b)/dpsi with slope = c'(a)/a.
Mat3 square_derivative(const Vec3& psi, const Vec3& b, double c, double slope) {
  Mat3 result = slope * psi.cross(psi.cross(b)) * psi.transpose();
  result += c * (psi * b.transpose() - 2 * b * psi.transpose());
  result.diagonal().array() += c * psi.dot(b);
  return result;
}

/// The quaternion of R times 4 times its largest component, so that no difference cancels (Shepperd).
Eigen::Vector4d scaled_quaternion(const Mat3& R) {
  const double trace = R.trace();
  Index i = 0;
  if (R(1, 1) > R(i, i)) i = 1;
  if (R(2, 2) > R(i, i)) i = 2;
  Eigen::Vector4d q;
  if (trace >= R(i, i)) {
    q << 1 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
    return q;
  }
  const Index j = (i + 1) % 3;
  const Index k = (i + 2) % 3;
  q[0] = R(k, j) - R(j, k);
  q[1 + i] = 1 + R(i, i) - R(j, j) - R(k, k);
  q[1 + j] = R(i, j) + R(j, i);
  q[1 + k] = R(i, k) + R(k, i);
  if (q[0] < 0) q = -q;
  return q;
}

}  // namespace

Mat3 skew(const Vec3& a) {
  Mat3 result;
  result << 0, -a.z(), a.y(),  //
      a.z(), 0, -a.x(),        //
      -a.y(), a.x(), 0;
  return result;
}

Mat3 exp(const Vec3& psi) {
  const HalfAngle half = half_angle(psi);
  return quadratic(psi, half.c_1(), half.c_2());
}

Vec3 log(const Mat3& R) {
  const Eigen::Vector4d q = scaled_quaternion(R);
  const Vec3 v = q.tail<3>();
  const double norm = v.norm();
  // atan(t)/t = 1 to below eps for t < 1e-8; also where the square in the norm underflows.
  if (norm < 1e-8 * q[0]) return 2 / q[0] * v;
  return 2 * std::atan2(norm, q[0]) / norm * v;
}

Mat3 tangent(const Vec3& psi) {
  const HalfAngle half = half_angle(psi);
  return quadratic(psi, -half.c_2(), half.c_3());
}

Mat3 tangent_inverse(const Vec3& psi) {
  return quadratic(psi, 0.5, half_angle(psi).e());
}

Mat3 tangent_derivative(const Vec3& psi, const Vec3& b) {
  const HalfAngleDerivatives half = half_angle_derivatives(psi);
  Mat3 result = square_derivative(psi, b, half.c_3(), half.c_3_slope());
  result += half.c_2() * skew(b) - half.c_2_slope() * psi.cross(b) * psi.transpose();
  return result;
}

Mat3 tangent_inverse_derivative(const Vec3& psi, const Vec3& b) {
  const HalfAngleDerivatives half = half_angle_derivatives(psi);
  return square_derivative(psi, b, half.e(), half.e_slope()) - skew(b) / 2;
}

InverseTangent::InverseTangent(const Vec3& psi) : psi_(psi) {
  const HalfAngleSecondDerivatives half = half_angle_second_derivatives(psi.squaredNorm() / 4);
  e_ = half.e();
  e_1_ = half.e_slope();
  e_2_ = half.e_second_slope();
}

Vec3 InverseTangent::even_rate(const Vec3& b, const Vec3& c) const {
  const Vec3 turned = psi_.cross(b);
  return e_ * (psi_.cross(c.cross(b)) + c.cross(turned)) + (e_1_ * psi_.dot(c)) * psi_.cross(turned);
}

Mat3 InverseTangent::matrix() const {
  return quadratic(psi_, 0.5, e_);
}

Mat3 InverseTangent::rate_matrix(const Vec3& c) const {
  // psi^ c^ + c^ psi^ = psi c^T + c psi^T - 2 (psi . c) I and psi^ psi^ = psi psi^T - a^2 I.
  const double along = psi_.dot(c);
  const Vec3 w = e_ * c + (0.5 * e_1_ * along) * psi_;
  Mat3 result = psi_ * w.transpose() + w * psi_.transpose();
  result.diagonal().array() -= along * (2 * e_ + e_1_ * psi_.squaredNorm());
  return result;
}

Mat3 InverseTangent::derivative(const Vec3& b) const {
  return square_derivative(psi_, b, e_, e_1_);
}

Mat3 InverseTangent::second_derivative(const Vec3& b, const Vec3& c) const {
  const double along = psi_.dot(c);
  const Vec3 turned = psi_.cross(b);
  const Vec3 turned_twice = psi_.cross(turned);
  const Vec3 mixed = psi_.cross(c.cross(b)) + c.cross(turned);
  const Vec3 g = e_ * c + (e_1_ * along) * psi_;
  Mat3 result = g * b.transpose() - 2 * b * g.transpose();
  result += (e_1_ * mixed + (e_2_ * along) * turned_twice) * psi_.transpose();
  result += (e_1_ * turned_twice) * c.transpose();
  result.diagonal().array() += g.dot(b);
  return result;
}

Eigen::Vector4d quaternion(const Mat3& R) {
  return scaled_quaternion(R).normalized();
}

Mat3 rotation(const Eigen::Vector4d& quaternion) {
  const double largest = quaternion.cwiseAbs().maxCoeff();
  if (largest == 0 || !quaternion.allFinite()) {
    throw ModelError(fmt::format("quaternion ({}, {}, {}, {}) has no direction, must be finite and not zero",
                                 quaternion[0], quaternion[1], quaternion[2], quaternion[3]));
  }
  const Eigen::Vector4d q = quaternion / largest;  // its square neither overflows nor underflows
  const double scale = 2 / q.squaredNorm();
  return quadratic(q.tail<3>(), scale * q[0], scale);
}

Mat3 orthonormalized(const Mat3& R) {
  // As a correction to R, since 3 I - R^T R would be rounded to eps before the product.
  const Mat3 defect = Mat3::Identity() - R.transpose() * R;
  return R + 0.5 * (R * defect);
}

}  // namespace picus::so3
