#include <picus/error.hpp>
#include <picus/prescribed_motion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace picus {
namespace {

/// A cubic spline with zero slope at both ends, constant outside.
class Spline {
 public:
  Spline(const std::vector<double>& times, const std::vector<double>& values)
      : t_(times), y_(values), m_(times.size(), 0.0) {
    // Continuous curvature: h_k m_{i-1} + 2 (h_i + h_k) m_i + h_i m_{i+1} = 3 (h_k d_i + h_i d_k) for the slopes m, with
    // the intervals h_i before a point and h_k after it, and the slopes d of the chords.
    const std::size_t n = t_.size();
    std::vector<double> upper(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double before = t_[i] - t_[i - 1], after = t_[i + 1] - t_[i];
      const double pivot = 2 * (before + after) - after * upper[i - 1];
      upper[i] = before / pivot;
      const double right = 3 * (after * (y_[i] - y_[i - 1]) / before + before * (y_[i + 1] - y_[i]) / after);
      m_[i] = (right - after * m_[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 1;) m_[i] -= upper[i] * m_[i + 1];
  }

  /// The derivative of that order, 0 to 2, at t.
  double at(double t, int order) const {
    if (t <= t_.front()) return order == 0 ? y_.front() : 0.0;
    if (t >= t_.back()) return order == 0 ? y_.back() : 0.0;
    const auto next = std::ranges::upper_bound(t_, t);
    const auto i = static_cast<std::size_t>(next - t_.begin()) - 1;
    const double h = t_[i + 1] - t_[i];
    const double x = (t - t_[i]) / h;
    const double chord = (y_[i + 1] - y_[i]) / h;
    // y = y_i + h (m_i x + b x^2 + c x^3)
    const double b = 3 * chord - 2 * m_[i] - m_[i + 1], c = m_[i] + m_[i + 1] - 2 * chord;
    if (order == 0) return y_[i] + h * x * (m_[i] + x * (b + x * c));
    if (order == 1) return m_[i] + x * (2 * b + 3 * x * c);
    return (2 * b + 6 * x * c) / h;
  }

 private:
  std::vector<double> t_, y_, m_;
};

void require_duration(double duration) {
  if (!(duration > 0) || !std::isfinite(duration))
    throw ModelError(fmt::format("prescribed motion: duration is {} s, must be positive", duration));
}

}  // namespace

PrescribedMotion PrescribedMotion::constant_speed(double speed) {
  return {.displacement = [speed](double t) { return speed * t; },
          .rate = [speed](double) { return speed; },
          .acceleration = [](double) { return 0.0; }};
}

PrescribedMotion PrescribedMotion::smooth_step(double distance, double duration, double begin) {
  require_duration(duration);
  const auto x = [=](double t) { return std::clamp((t - begin) / duration, 0.0, 1.0); };
  return {.displacement =
              [=](double t) {
                const double s = x(t);
                return distance * s * s * s * (10 + s * (6 * s - 15));
              },
          .rate =
              [=](double t) {
                const double s = x(t);
                return distance / duration * 30 * s * s * (1 - s) * (1 - s);
              },
          .acceleration =
              [=](double t) {
                const double s = x(t);
                return distance / (duration * duration) * 60 * s * (1 - s) * (1 - 2 * s);
              }};
}

PrescribedMotion PrescribedMotion::smooth_start(double speed, double duration) {
  require_duration(duration);
  const auto x = [=](double t) { return std::clamp(t / duration, 0.0, 1.0); };
  return {.displacement =
              [=](double t) {
                const double s = x(t);
                return speed * (duration * s * s * s * s * (2.5 + s * (s - 3)) + std::max(t - duration, 0.0));
              },
          .rate =
              [=](double t) {
                const double s = x(t);
                return speed * s * s * s * (10 + s * (6 * s - 15));
              },
          .acceleration =
              [=](double t) {
                const double s = x(t);
                return speed / duration * 30 * s * s * (1 - s) * (1 - s);
              }};
}

PrescribedMotion PrescribedMotion::table(const std::vector<double>& times,
                                         const std::vector<double>& displacements) {
  if (times.size() < 2 || times.size() != displacements.size()) {
    throw ModelError(
        fmt::format("prescribed motion: {} times and {} displacements, must be as many, and two at least",
                    times.size(), displacements.size()));
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(displacements[i]))
      throw ModelError(fmt::format("prescribed motion: entry {} of the table is not finite", i));
    if (i > 0 && !(times[i] > times[i - 1])) {
      throw ModelError(fmt::format(
          "prescribed motion: time {} of the table, {} s, does not exceed the one before", i, times[i]));
    }
  }
  const auto spline = std::make_shared<const Spline>(times, displacements);
  return {.displacement = [spline](double t) { return spline->at(t, 0); },
          .rate = [spline](double t) { return spline->at(t, 1); },
          .acceleration = [spline](double t) { return spline->at(t, 2); }};
}

}  // namespace picus
