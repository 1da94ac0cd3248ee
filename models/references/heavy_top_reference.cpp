#include <picus/models/references/heavy_top_reference.hpp>
#include <picus/so3.hpp>

#include <cmath>

namespace picus::models {
namespace {

constexpr int steps_between_checkpoints = 20;
constexpr std::size_t most_checkpoints = 50'000;

}  // namespace

HeavyTopReference::HeavyTopReference(const HeavyTopParameters& top, StopRequest stop_request)
    : top_(top),
      motion_({.motion = {.R = Mat3::Identity(), .Omega = top.angular_velocity}}, most_checkpoints,
              stop_request) {
  const Mat3 arm = so3::skew(top.centre_of_mass);
  J_0_ = Mat3(top.inertia.asDiagonal()) - top.mass * arm * arm;
  J_0_inverse_ = J_0_.inverse();
  last_.Omega = top.angular_velocity;
}

Vec3 HeavyTopReference::acceleration(const Motion& motion) const {
  const Vec3& Omega = motion.Omega;
  const Vec3 moment = top_.centre_of_mass.cross(top_.mass * (motion.R.transpose() * top_.gravity));
  return J_0_inverse_ * (moment - Omega.cross(J_0_ * Omega));
}

HeavyTopReference::Rate HeavyTopReference::rate(const Motion& motion) const {
  return {motion.R * so3::skew(motion.Omega), acceleration(motion)};
}

HeavyTopReference::Motion HeavyTopReference::advance(const Motion& from, double h) const {
  const auto moved = [&](const Rate& by, double step) {
    return Motion{from.R + step * by.R, from.Omega + step * by.Omega};
  };
  const Rate k1 = rate(from);
  const Rate k2 = rate(moved(k1, h / 2));
  const Rate k3 = rate(moved(k2, h / 2));
  const Rate k4 = rate(moved(k3, h));
  return {from.R + h / 6 * (k1.R + 2 * k2.R + 2 * k3.R + k4.R),
          from.Omega + h / 6 * (k1.Omega + 2 * k2.Omega + 2 * k3.Omega + k4.Omega)};
}

HeavyTopReference::Checkpoint HeavyTopReference::go_on(Front& front) const {
  const Checkpoint checkpoint{front.time, front.motion};
  for (int i = 0; i < steps_between_checkpoints; ++i) front.motion = advance(front.motion, top_.step);
  front.number += 1.0;
  front.time = front.number * (steps_between_checkpoints * top_.step);
  return checkpoint;
}

const HeavyTopReference::Motion& HeavyTopReference::at(double t) {
  if (t == last_time_) return last_;
  const Checkpoint& before = motion_.at(t, [this](Front& front) { return go_on(front); });
  last_ = before.motion;
  const double rest = t - before.start;
  const int count = static_cast<int>(std::ceil(rest / top_.step));
  for (int i = 0; i < count; ++i) last_ = advance(last_, rest / count);
  last_time_ = t;
  return last_;
}

Vec3 HeavyTopReference::position(double t) {
  return at(t).R * top_.centre_of_mass;
}

Vec3 HeavyTopReference::velocity(double t) {
  const Motion& motion = at(t);
  return motion.R * motion.Omega.cross(top_.centre_of_mass);
}

Vec3 HeavyTopReference::reaction(double t) {
  const Motion& motion = at(t);
  const Vec3& X = top_.centre_of_mass;
  const Vec3 a = acceleration(motion).cross(X) + motion.Omega.cross(motion.Omega.cross(X));
  return top_.mass * (motion.R * a - top_.gravity);
}

}  // namespace picus::models
