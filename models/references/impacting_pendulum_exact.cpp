#include <picus/models/references/impacting_pendulum_exact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace picus::models {

JacobiElliptic jacobi_elliptic(double u, double k) {
  // Arithmetic-geometric mean (Abramowitz and Stegun, 16.4).
  std::array<double, 32> a{1.0};
  std::array<double, 32> c{k};
  double b = std::sqrt((1.0 - k) * (1.0 + k));
  std::size_t n = 0;
  while (c[n] > 1e-16 * a[n] && n + 1 < a.size()) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double amplitude = std::ldexp(a[n] * u, static_cast<int>(n));
  for (; n > 0; --n) amplitude = 0.5 * (amplitude + std::asin(c[n] / a[n] * std::sin(amplitude)));
  const double sn = std::sin(amplitude);
  return {.sn = sn, .cn = std::cos(amplitude), .dn = std::sqrt(1.0 - k * k * sn * sn)};
}

ImpactingPendulumExact::ImpactingPendulumExact(const Parameters& parameters, double until)
    : p_(parameters),
      w_(std::sqrt(parameters.mass * parameters.gravity * parameters.length /
                   (parameters.mass * parameters.length * parameters.length + parameters.inertia))),
      half_sine_(std::sin(0.5 * std::asin(parameters.wall / parameters.length))),
      rest_from_(std::numeric_limits<double>::infinity()) {
  // The first fall, from phi = pi/2, hits the wall with 1/2 phi'^2 = w^2 cos(phi_wall).
  const double first_rate = w_ * std::sqrt(2.0 * (1.0 - 2.0 * half_sine_ * half_sine_));
  // From the wall up to the highest point of a swing that leaves it with this rate, s.
  const auto rise = [&](double rate, double k) {
    const double psi = std::atan(rate / (2.0 * w_ * std::sqrt((1.0 - k) * (1.0 + k)) * half_sine_));
    return std::ellint_1(k, psi) / w_;
  };
  swings_.push_back({.start = 0.0, .highest = 0.0, .modulus = std::sqrt(0.5)});
  impact_times_.push_back(rise(first_rate, std::sqrt(0.5)));
  double rate = p_.restitution * first_rate;
  while (impact_times_.back() <= until) {
    const double start = impact_times_.back();
    if (rate < 1e-15 * w_) {
      rest_from_ = start;
      break;
    }
    const double k = std::hypot(half_sine_, 0.5 * rate / w_);
    const double up = rise(rate, k);
    swings_.push_back({.start = start, .highest = start + up, .modulus = k});
    impact_times_.push_back(start + 2.0 * up);
    rate *= p_.restitution;
  }
}

const ImpactingPendulumExact::Swing* ImpactingPendulumExact::find_swing(double t) const {
  if (t >= rest_from_) return nullptr;
  const auto after = std::ranges::upper_bound(swings_, t, {}, &Swing::start);
  return after == swings_.begin() ? &swings_.front() : &*std::prev(after);
}

double ImpactingPendulumExact::angle(double t) const {
  const Swing* const swing = find_swing(t);
  if (swing == nullptr) return 2.0 * std::asin(half_sine_);
  const auto [sn, cn, dn] = jacobi_elliptic(w_ * (t - swing->highest), swing->modulus);
  return 2.0 * std::asin(swing->modulus * cn / dn);
}

double ImpactingPendulumExact::angle_rate(double t) const {
  const Swing* const swing = find_swing(t);
  if (swing == nullptr) return 0.0;
  const double k = swing->modulus;
  const auto [sn, cn, dn] = jacobi_elliptic(w_ * (t - swing->highest), k);
  return -2.0 * k * std::sqrt((1.0 - k) * (1.0 + k)) * w_ * sn / dn;
}

double ImpactingPendulumExact::x(double t) const {
  return p_.length * std::sin(angle(t));
}

double ImpactingPendulumExact::x_rate(double t) const {
  return p_.length * std::cos(angle(t)) * angle_rate(t);
}

double ImpactingPendulumExact::energy(double t) const {
  const double rate = angle_rate(t);
  return 0.5 * (p_.mass * p_.length * p_.length + p_.inertia) * rate * rate +
         p_.mass * p_.gravity * p_.length * (1.0 - std::cos(angle(t)));
}

}  // namespace picus::models
