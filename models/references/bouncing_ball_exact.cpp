#include <picus/models/references/bouncing_ball_exact.hpp>

#include <cmath>
#include <limits>

namespace picus::models {

BouncingBallExact::BouncingBallExact(double height, double restitution, double gravity)
    : height_(height),
      restitution_(restitution),
      gravity_(gravity),
      first_fall_(std::sqrt(2.0 * height / gravity)),
      impact_speed_(std::sqrt(2.0 * gravity * height)) {}

double BouncingBallExact::impact_time(int n) const {
  const double e = restitution_;
  if (e == 1.0) return first_fall_ * (2.0 * n - 1.0);
  return first_fall_ * (1.0 + 2.0 * e * (1.0 - std::pow(e, n - 1)) / (1.0 - e));
}

double BouncingBallExact::accumulation_time() const {
  const double e = restitution_;
  if (e == 1.0) return std::numeric_limits<double>::infinity();
  return first_fall_ * (1.0 + e) / (1.0 - e);
}

BouncingBallExact::Flight BouncingBallExact::find_flight(double t) const {
  const double e = restitution_;
  const double elapsed = (t - first_fall_) / first_fall_;
  // impact_time(n) solved for n, up to where e^n is below rounding; the loops correct for rounding.
  const double bounces =
      e == 1.0 ? elapsed / 2.0 : std::log1p(-elapsed * (1.0 - e) / (2.0 * e)) / std::log(e);
  const double most = e == 1.0 ? 1e9 : std::fmin(std::log(1e-17) / std::log(e), 1e9);
  int n = 1 + static_cast<int>(std::fmin(std::fmax(bounces, 0.0), most));
  while (n > 1 && impact_time(n) > t) --n;
  while (impact_time(n + 1) <= t && impact_time(n + 1) > impact_time(n)) ++n;
  return {impact_time(n), std::pow(e, n) * impact_speed_};
}

double BouncingBallExact::position(double t) const {
  if (t < first_fall_) return height_ - gravity_ * t * t / 2.0;
  if (t >= accumulation_time()) return 0.0;
  const auto [start, speed] = find_flight(t);
  const double s = t - start;
  // A flight shorter than the rounding error of its start time may evaluate to a position below the floor.
  return std::fmax(speed * s - gravity_ * s * s / 2.0, 0.0);
}

double BouncingBallExact::velocity(double t) const {
  if (t < first_fall_) return -gravity_ * t;
  if (t >= accumulation_time()) return 0.0;
  const auto [start, speed] = find_flight(t);
  return speed - gravity_ * (t - start);
}

}  // namespace picus::models
