#include <picus/models/references/sliding_point_reference.hpp>

#include <Eigen/Geometry>

namespace picus::models {

SlidingPointReference::SlidingPointReference(const Parameters& parameters, StopRequest stop_request)
    : p_(parameters), motion_(parameters.start, parameters.step, stop_request) {}

const SlidingPointReference::Motion& SlidingPointReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
}

double SlidingPointReference::normal_force(double t) {
  const Motion& motion = at(t);
  return motion.is_open ? 0.0 : closed_force(motion);
}

double SlidingPointReference::closed_force(const Motion& at) const {
  return p_.face.normal_acceleration(at.t, at.x, at.v) - p_.face.normal(at.t, at.x).dot(p_.load);
}

Vec3 SlidingPointReference::acceleration(const Motion& at) const {
  if (at.is_open) return p_.load;
  const double N = closed_force(at);
  const Vec3 n = p_.face.normal(at.t, at.x);
  Vec3 slip = at.v - p_.face.velocity(at.t, at.x);
  slip -= n * n.dot(slip);
  return p_.load + N * n - p_.mu * N * slip.normalized();
}

SlidingPointReference::Motion SlidingPointReference::advance_smoothly(const Motion& from, double h) const {
  const auto moved = [&](const Vec3& v, const Vec3& a, double part) {
    return Motion{from.x + part * h * v, from.v + part * h * a, from.t + part * h, from.is_open};
  };
  const Vec3 a_1 = acceleration(from);
  const Motion two = moved(from.v, a_1, 0.5);
  const Vec3 a_2 = acceleration(two);
  const Motion three = moved(two.v, a_2, 0.5);
  const Vec3 a_3 = acceleration(three);
  const Motion four = moved(three.v, a_3, 1.0);
  const Vec3 a_4 = acceleration(four);
  return moved((from.v + 2 * two.v + 2 * three.v + four.v) / 6, (a_1 + 2 * a_2 + 2 * a_3 + a_4) / 6, 1.0);
}

SlidingPointReference::Motion SlidingPointReference::advance(const Motion& from, double h) const {
  const Motion whole = advance_smoothly(from, h);
  if (from.is_open || closed_force(whole) >= 0) return whole;
  double closed = 0.0;
  double open = h;
  for (int i = 0; i < 60; ++i) {
    const double middle = (closed + open) / 2;
    (closed_force(advance_smoothly(from, middle)) < 0 ? open : closed) = middle;
  }
  Motion lift_off = advance_smoothly(from, closed);
  lift_off.is_open = true;
  return advance_smoothly(lift_off, h - closed);
}

}  // namespace picus::models
