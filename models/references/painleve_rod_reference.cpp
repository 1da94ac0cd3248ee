#include <picus/models/references/painleve_rod_reference.hpp>

#include <Eigen/LU>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

/// The rod is along (cos phi, sin phi), its lower end at (x - a cos phi, y - a sin phi).
PlanarContactReference::Directions directions_of(double a, const PlanarContactReference::Coordinates& at) {
  const double s = std::sin(at.q.z());
  const double c = std::cos(at.q.z());
  const double w = at.v.z();
  return {.n = {0, 1, -a * c}, .t = {1, 0, a * s}, .c_n = a * s * w * w, .c_t = a * c * w * w};
}

}  // namespace

PainleveRodReference::PainleveRodReference(const PainleveRodParameters& rod, StopRequest stop_request)
    : rod_(rod), mass_(rod.mass, rod.mass, rod.mass * rod.length * rod.length / 12) {
  contact_start_ = landing();
  Coordinates start = flight(contact_start_);
  const auto d = directions_of(rod_.length / 2, start);
  const double slip = d.t.dot(start.v);
  const double along = d.n.cwiseQuotient(mass_).dot(d.t);
  const double B = d.n.cwiseQuotient(mass_).dot(d.n) - (slip > 0 ? rod_.mu : -rod_.mu) * along;
  const double b = d.c_n - rod_.gravity;
  const bool lands = rod_.height > 0;
  if (B < 0 && slip != 0) solutions_ = b < 0 || lands ? Solutions::none : Solutions::several;
  if (lands || solutions_ == Solutions::none) {
    jump_ = contact_start_;
    start = after_jump(start);
  }
  if (is_unique()) contact_ = contact_from(start, stop_request);
}

PainleveRodReference::Coordinates PainleveRodReference::flight(double t) const {
  const double a = rod_.length / 2;
  const double s = std::sin(rod_.inclination);
  const double c = std::cos(rod_.inclination);
  const Vec3 v(rod_.slip + a * c * rod_.rate, -a * s * rod_.rate, -rod_.rate);
  const Vec3 q(a * s, rod_.height + a * c, std::numbers::pi / 2 - rod_.inclination);
  const Vec3 fall(0, rod_.gravity, 0);
  return {.q = q + t * v - t * t / 2 * fall, .v = v - t * fall};
}

/// The first instant at which the lower end is on the floor.
double PainleveRodReference::landing() const {
  if (rod_.height == 0) return 0.0;
  const auto gap = [&](double t) {
    const Coordinates at = flight(t);
    return at.q.y() - rod_.length / 2 * std::sin(at.q.z());
  };
  constexpr double scan = 1e-4;  // s, far below the time of a revolution of the rod
  double before = 0.0;
  while (gap(before + scan) > 0) before += scan;
  double after = before + scan;
  while (after - before > 1e-15) {
    const double middle = (before + after) / 2;
    (gap(middle) > 0 ? before : after) = middle;
  }
  return after;
}

PainleveRodReference::Coordinates PainleveRodReference::after_jump(const Coordinates& before) const {
  const auto d = directions_of(rod_.length / 2, before);
  const Vec3 by_n = d.n.cwiseQuotient(mass_);
  const Vec3 by_t = d.t.cwiseQuotient(mass_);
  const double u_n = d.n.dot(before.v);
  const double u_t = d.t.dot(before.v);
  Eigen::Matrix2d W;
  W << d.n.dot(by_n), d.n.dot(by_t), d.t.dot(by_n), d.t.dot(by_t);
  const Eigen::Vector2d sticks = W.inverse() * Eigen::Vector2d(-u_n, -u_t);
  double P_n = sticks[0];
  double P_t = sticks[1];
  if (std::abs(P_t) > rod_.mu * P_n) {
    const double part = u_t > 0 ? -rod_.mu : rod_.mu;
    P_n = -u_n / (W(0, 0) + part * W(0, 1));
    P_t = part * P_n;
  }
  return {.q = before.q, .v = before.v + P_n * by_n + P_t * by_t};
}

PlanarContactReference PainleveRodReference::contact_from(const Coordinates& start,
                                                          StopRequest stop_request) const {
  return PlanarContactReference(
      PlanarContactReference::Parameters{
          .mass = mass_,
          .load = {0, -rod_.mass * rod_.gravity, 0},
          .mu = rod_.mu,
          .start = start,
          .directions = [a = rod_.length / 2](const Coordinates& at) { return directions_of(a, at); }},
      stop_request);
}

PainleveRodReference::Coordinates PainleveRodReference::at(double t) {
  if (t < contact_start_) return flight(t);
  return contact_->at(t - contact_start_).at;
}

}  // namespace picus::models
