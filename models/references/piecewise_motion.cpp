#include <picus/models/references/piecewise_motion.hpp>

#include <cmath>

namespace picus::models {
namespace {

/// Zero of `function` in [low, high], where it changes sign, to rounding.
template <class Function>
double bisect(const Function& function, double low, double high) {
  const bool starts_positive = function(low) > 0.0;
  for (;;) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) return high;
    ((function(middle) > 0.0) == starts_positive ? low : high) = middle;
  }
}

}  // namespace

double value_at(const Polynomial& p, double s) {
  double value = 0.0;
  for (Index k = count_of(p); k-- > 0;) value = value * s + p[k];
  return value;
}

double slope_at(const Polynomial& p, double s) {
  double slope = 0.0;
  for (Index k = count_of(p); k-- > 1;) slope = slope * s + k * p[k];
  return slope;
}

double first_fall_below_zero(const Polynomial& p, double h, double tolerance) {
  if (p[0] < -tolerance) return 0.0;
  // If p is zero at the start, s^k is factored out: the remainder has the same sign.
  Index zeros = 0;
  while (zeros + 1 < p.size() && std::abs(p[zeros]) <= tolerance) ++zeros;
  const Polynomial q = p.tail(p.size() - zeros);
  if (q[0] < -tolerance) return 0.0;
  double below = h;
  if (value_at(q, h) >= -tolerance) {
    // It may have been negative in between, if it has a minimum there.
    if (slope_at(q, 0.0) >= 0.0 || slope_at(q, h) <= 0.0) return h + 1.0;
    below = bisect([&q](double s) { return slope_at(q, s); }, 0.0, h);
    if (value_at(q, below) >= -tolerance) return h + 1.0;
  }
  return bisect([&q](double s) { return value_at(q, s); }, 0.0, below);
}

}  // namespace picus::models
