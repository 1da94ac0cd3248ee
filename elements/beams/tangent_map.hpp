#pragma once

/// T(phi) of so3.hpp with its first and second derivatives, evaluated together for elements that need all of them:
///
///     T b   = b - c_2 phi x b + c_3 phi x (phi x b),   T^T m = m + c_2 phi x m + c_3 phi x (phi x m)
///     F     = m . T b = m . b - c_2 phi . u + c_3 q,   u = b x m,   q = (phi . m)(phi . b) - |phi|^2 m . b
///     d2F/dphi2 = c_3 q'' + c_3' (phi q'^T + q' phi^T + q I) + c_3'' q phi phi^T
///                 - c_2' (phi u^T + u phi^T + phi . u I) - c_2'' phi . u phi phi^T
///
/// where a prime on c_2 = (1 - cos a)/a^2 and c_3 = (a - sin a)/a^3, a = |phi|, denotes d/da divided by a. They are
/// evaluated here by power series in a^2, accurate to rounding for a < 2.

#include <picus/so3.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <array>
#include <cstddef>

namespace picus {

class TangentMap {
 public:
  explicit TangentMap(const Vec3& phi)
      : phi_(phi), x_(phi.squaredNorm()), c_2_(series<2>(x_)), c_3_(series<3>(x_)) {}

  /// The rotation exp(phi).
  Mat3 rotation() const { return quadratic(1 - x_ * c_3_.value, c_2_.value); }
  /// The matrix T.
  Mat3 matrix() const { return quadratic(-c_2_.value, c_3_.value); }

  /// d(T b)/dphi.
  Mat3 derivative(const Vec3& b) const { return derivative(b, -1.0); }
  /// d(T^T m)/dphi.
  Mat3 transposed_derivative(const Vec3& m) const { return derivative(m, 1.0); }
  /// d2(m . T b)/dphi2, symmetric.
  Mat3 second_derivative(const Vec3& m, const Vec3& b) const {
    const Vec3 u = b.cross(m);
    const double along = phi_.dot(u);
    const double mb = m.dot(b);
    const double q = phi_.dot(m) * phi_.dot(b) - x_ * mb;
    const Vec3 slope = phi_.dot(b) * m + phi_.dot(m) * b - 2 * mb * phi_;
    const Vec3 w = c_3_.slope * slope - c_2_.slope * u + 0.5 * (c_3_.bend * q - c_2_.bend * along) * phi_;
    Mat3 result = phi_ * w.transpose() + w * phi_.transpose();
    result += c_3_.value * (m * b.transpose() + b * m.transpose());
    result.diagonal().array() += c_3_.slope * q - c_2_.slope * along - 2 * c_3_.value * mb;
    return result;
  }

 private:
  struct Coefficient {
    double value, slope, bend;
  };

  /// sum (-x)^k/(2 k + n)!, where d/da divided by a is 2 d/dx. At x = 4 the first neglected term of the second
  /// derivative is 1e-18.
  template <int n>
  static Coefficient series(double x) {
    constexpr std::size_t terms = 12;
    static constexpr std::array<double, terms> c = [] {
      std::array<double, terms> result{};
      double factorial = n == 2 ? 2.0 : 6.0;
      for (std::size_t k = 0; k < terms; ++k) {
        result[k] = 1 / factorial;
        const auto next = static_cast<double>(2 * k + n + 1);
        factorial *= -next * (next + 1);
      }
      return result;
    }();
    double value = c[terms - 1];
    double first = 0;
    double second = 0;  // half of the second derivative
    for (std::size_t k = terms - 1; k-- > 0;) {
      second = second * x + first;
      first = first * x + value;
      value = value * x + c[k];
    }
    return {value, 2 * first, 8 * second};
  }

  /// I + b phi^ + c phi^ phi^.
  Mat3 quadratic(double b, double c) const {
    Mat3 result = c * phi_ * phi_.transpose() + so3::skew(b * phi_);
    result.diagonal().array() += 1 - c * x_;
    return result;
  }

  /// d(sign c_2 phi x b + c_3 phi x (phi x b))/dphi.
  Mat3 derivative(const Vec3& b, double sign) const {
    const Vec3 turned = phi_.cross(b);
    const Vec3 w = sign * c_2_.slope * turned + c_3_.slope * phi_.cross(turned) - 2 * c_3_.value * b;
    Mat3 result = w * phi_.transpose() + c_3_.value * phi_ * b.transpose() - so3::skew(sign * c_2_.value * b);
    result.diagonal().array() += c_3_.value * phi_.dot(b);
    return result;
  }

  Vec3 phi_;
  double x_;
  Coefficient c_2_;
  Coefficient c_3_;
};

}  // namespace picus
