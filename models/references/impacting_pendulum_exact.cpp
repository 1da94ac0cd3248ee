#include <picus/models/references/impacting_pendulum_exact.hpp>

#include <array>
#include <cmath>
#include <utility>

namespace picus::models {
namespace {

constexpr std::size_t max_swings = 100'000;

}  // namespace

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

ImpactingPendulumExact::ImpactingPendulumExact(const Parameters& parameters, double until,
                                               StopRequest stop_request)
    : p_(parameters),
      w_(std::sqrt(parameters.mass * parameters.gravity * parameters.length /
                   (parameters.mass * parameters.length * parameters.length + parameters.inertia))),
      half_sine_(std::sin(0.5 * std::asin(parameters.wall / parameters.length))),
      // The first fall, from phi = pi/2, reaches the wall with 1/2 phi'^2 = w^2 cos(phi_wall).
      first_rate_(w_ * std::sqrt(2.0 * (1.0 - 2.0 * half_sine_ * half_sine_))),
      until_(until),
      motion_({}, max_swings, stop_request) {}

double ImpactingPendulumExact::rise(double rate, double modulus) const {
  const double k = modulus;
  const double psi = std::atan(rate / (2.0 * w_ * std::sqrt((1.0 - k) * (1.0 + k)) * half_sine_));
  return std::ellint_1(k, psi) / w_;
}

ImpactingPendulumExact::Swing ImpactingPendulumExact::advance(Front& front) const {
  const double start = front.time;
  if (front.is_first) {
    front = {.time = first_impact(), .rate = p_.restitution * first_rate_, .is_first = false};
    front.has_ended = !(front.time <= until_);
    return {.start = 0.0, .highest = 0.0, .modulus = std::sqrt(0.5)};
  }
  if (front.rate < 1e-15 * w_) {
    front.has_ended = true;
    return {.start = start, .highest = start, .modulus = half_sine_, .rests = true};
  }
  const double k = std::hypot(half_sine_, 0.5 * front.rate / w_);
  const double up = rise(front.rate, k);
  front.time = start + 2.0 * up;
  front.rate *= p_.restitution;
  front.has_ended = !(front.time <= until_);
  return {.start = start, .highest = start + up, .modulus = k};
}

const ImpactingPendulumExact::Swing& ImpactingPendulumExact::find_swing(double t) const {
  return motion_.at(t, [this](Front& front) { return advance(front); });
}

const std::vector<double>& ImpactingPendulumExact::impact_times() const {
  if (!impact_times_.empty()) return impact_times_;
  std::vector<double> times;
  motion_.visit_all([this](Front& front) { advance(front); },
                    [&](const Front& before, const Front& after) {
                      const bool rests = after.time == before.time && after.rate == before.rate;
                      if (!rests) times.push_back(after.time);
                    });
  impact_times_ = std::move(times);
  return impact_times_;
}

double ImpactingPendulumExact::first_impact() const {
  return rise(first_rate_, std::sqrt(0.5));
}

double ImpactingPendulumExact::angle(double t) const {
  const Swing& swing = find_swing(t);
  if (swing.rests) return 2.0 * std::asin(half_sine_);
  const auto [sn, cn, dn] = jacobi_elliptic(w_ * (t - swing.highest), swing.modulus);
  return 2.0 * std::asin(swing.modulus * cn / dn);
}

double ImpactingPendulumExact::angle_rate(double t) const {
  const Swing& swing = find_swing(t);
  if (swing.rests) return 0.0;
  const double k = swing.modulus;
  const auto [sn, cn, dn] = jacobi_elliptic(w_ * (t - swing.highest), k);
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
