#pragma once

/// All zeros of a function of the points of a circle.

#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

namespace picus {

inline constexpr double full_turn = 2 * std::numbers::pi;

/// Number of samples of a circle between which solutions are sought: the functions have at most eight zeros.
inline constexpr int circle_samples = 32;

/// Two axes of the plane of a circle, from which its angle is measured.
inline std::pair<Vec3, Vec3> circle_axes(const Vec3& axis) {
  const Vec3 first = axis.unitOrthogonal();
  return {first, axis.cross(first)};
}

/// A point of a circle, with the direction from the centre and the tangent.
struct OnCircle {
  Vec3 y, d, t;
};

/// The points of a circle by their angle.
class CirclePoints {
 public:
  explicit CirclePoints(const RoundFeature& circle) : circle_(circle) {
    std::tie(first_, second_) = circle_axes(circle.axis);
  }
  OnCircle at(double phi) const { return at(std::cos(phi), std::sin(phi)); }
  OnCircle at(double c, double s) const {
    const Vec3 d = c * first_ + s * second_;
    return {circle_.x + circle_.radius * d, d, c * second_ - s * first_};
  }

 private:
  const RoundFeature& circle_;
  Vec3 first_, second_;
};

/// The zero of f between two points with values of opposite sign: regula falsi (Illinois variant) with occasional
/// bisection, down to rounding.
template <class Function>
double find_zero(const Function& f, double low, double f_low, double high, double f_high) {
  double best = low, least = std::numeric_limits<double>::infinity();
  int side = 0;
  for (int i = 0; i < 60; ++i) {
    double x = i % 8 == 7 ? (low + high) / 2 : (low * f_high - high * f_low) / (f_high - f_low);
    if (!(x > low && x < high)) x = (low + high) / 2;
    if (!(x > low && x < high)) break;
    const double y = f(x);
    if (std::abs(y) < least) {
      best = x;
      least = std::abs(y);
    }
    if (y == 0) break;
    const int now = (y > 0) == (f_high > 0) ? 1 : -1;
    if (now == 1) {
      high = x;
      f_high = y;
      if (side == now) f_low /= 2;
    } else {
      low = x;
      f_low = y;
      if (side == now) f_high /= 2;
    }
    side = now;
  }
  return best;
}

/// Cosines and sines of the samples.
inline const std::array<std::array<double, 2>, circle_samples>& sample_directions() {
  static const auto directions = [] {
    std::array<std::array<double, 2>, circle_samples> all{};
    for (int i = 0; i < circle_samples; ++i) {
      const double phi = i * (full_turn / circle_samples);
      all[i] = {std::cos(phi), std::sin(phi)};
    }
    return all;
  }();
  return directions;
}

/// Calls visit(phi) for the zeros of a function that has at most one between each angle and the next; the angles ascend
/// within one turn.
template <std::size_t n, class Function, class Visit>
void visit_zeros_between(const std::array<double, n>& angles, const CirclePoints& circle,
                         const Function& of_point, const Visit& visit) {
  const auto f = [&](double phi) { return of_point(circle.at(phi)); };
  const double first = f(angles[0]);
  double low = angles[0], f_low = first;
  for (std::size_t i = 1; i <= n; ++i) {
    const double high = i < n ? angles[i] : angles[0] + full_turn;
    const double f_high = i < n ? f(high) : first;
    if (f_low == 0) {
      visit(low);
    } else if (f_high != 0 && (f_low > 0) != (f_high > 0)) {
      visit(find_zero(f, low, f_low, high, f_high));
    }
    low = high;
    f_low = f_high;
  }
}

/// Calls visit(phi) for the zeros of a function of the points of a circle. Two zeros between adjacent samples are found
/// from a local minimum of its absolute value.
template <class Function, class Visit>
void visit_zeros(const CirclePoints& circle, const Function& of_point, const Visit& visit) {
  std::array<double, circle_samples> values{};
  constexpr double width = full_turn / circle_samples;
  const auto f = [&](double phi) { return of_point(circle.at(phi)); };
  const auto& directions = sample_directions();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = of_point(circle.at(directions[i][0], directions[i][1]));
  const auto value = [&](int i) { return values[(i + circle_samples) % circle_samples]; };
  for (int i = 0; i < circle_samples; ++i) {
    if (value(i) == 0) {
      visit(i * width);
      continue;
    }
    if (value(i + 1) != 0 && (value(i) > 0) != (value(i + 1) > 0)) {
      visit(find_zero(f, i * width, value(i), (i + 1) * width, value(i + 1)));
      continue;
    }
    const double sign = value(i) > 0 ? 1.0 : -1.0;
    const double before = sign * value(i - 1), middle = sign * value(i), after = sign * value(i + 1);
    if (!(middle < before && middle <= after && before > 0 && after > 0)) continue;
    double low = (i - 1) * width, high = (i + 1) * width;
    constexpr double golden = 0.6180339887498949;
    for (int k = 0; k < 60 && high - low > 1e-9; ++k) {
      const double one = high - golden * (high - low), other = low + golden * (high - low);
      const double f_one = sign * f(one), f_other = sign * f(other);
      if (f_one < 0 || f_other < 0) {
        const double inside = f_one < 0 ? one : other;
        visit(find_zero(f, (i - 1) * width, sign * before, inside, f(inside)));
        visit(find_zero(f, inside, f(inside), (i + 1) * width, sign * after));
        break;
      }
      (f_one < f_other ? high : low) = f_one < f_other ? other : one;
    }
  }
}

}  // namespace picus
