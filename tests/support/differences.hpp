#pragma once

/// Derivatives by finite differences, to check exact ones against.

#include <picus/configuration.hpp>
#include <picus/types.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::support {

/// Central differences of fourth order with this step are exact to about 1e-11 for functions whose values and
/// derivatives are of order one: truncation step^4 = 1e-12, rounding eps/step = 2e-13, both times small
/// factors.
inline constexpr double difference_step = 1e-3;
inline constexpr double difference_tolerance = 1e-9;

/// df/ds at s = 0 for a function of one real that returns a number or a vector.
template <class F>
auto derivative(F&& f, double step = difference_step) {
  const auto near = f(step);
  const auto near_back = f(-step);
  const auto far = f(2 * step);
  const auto far_back = f(-2 * step);
  return decltype(near)((8.0 * (near - near_back) - (far - far_back)) / (12.0 * step));
}

/// df/dq at q with respect to left-trivialised increments of all components; f maps configurations to
/// vectors.
template <class F>
Eigen::MatrixXd derivative_on_group(std::span<const Node> nodes, const Configuration& q,
                                    Eigen::Index components, F&& f) {
  Eigen::MatrixXd result;
  for (Eigen::Index i = 0; i < components; ++i) {
    const Vector column = derivative([&](double s) -> Vector {
      Configuration moved = q;
      retract(nodes, q, s * Vector::Unit(components, i), moved);
      return f(moved);
    });
    if (i == 0) result.resize(column.size(), components);
    result.col(i) = column;
  }
  return result;
}

/// Equality of matrices relative to the largest entry (but at least 1), naming the worst entry.
inline void expect_near(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(actual.rows(), expected.rows()) << what;
  ASSERT_EQ(actual.cols(), expected.cols()) << what;
  if (expected.size() == 0) return;
  Index row = 0;
  Index column = 0;
  const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
  const double worst = (actual - expected).cwiseAbs().maxCoeff(&row, &column);
  const bool is_close = worst <= tolerance * scale && actual.allFinite();
  EXPECT_TRUE(is_close) << what << ": entry (" << row << ", " << column << ") is " << actual(row, column)
                        << ", not " << expected(row, column);
}

}  // namespace picus::support
