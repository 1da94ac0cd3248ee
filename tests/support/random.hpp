#pragma once

/// Seeded random values, so that a failing test is reproducible.

#include <picus/so3.hpp>
#include <picus/types.hpp>

#include <numbers>
#include <random>

namespace picus::support {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }

  /// Entries in [-scale, scale].
  Vector vector(Eigen::Index size, double scale = 1.0) {
    Vector result(size);
    for (double& value : result) value = uniform(-scale, scale);
    return result;
  }
  Vec3 vec3(double scale = 1.0) { return vector(3, scale); }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    return vector(rows * columns).reshaped(rows, columns);
  }

  Vec3 direction() {
    Vec3 result = vec3();
    while (result.norm() < 0.1) result = vec3();
    return result.normalized();
  }
  /// Any angle up to pi.
  Mat3 rotation() { return so3::exp(uniform(0, std::numbers::pi) * direction()); }

 private:
  std::mt19937 engine_;
};

}  // namespace picus::support
