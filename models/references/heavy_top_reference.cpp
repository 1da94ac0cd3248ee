#include <picus/models/references/heavy_top_reference.hpp>
#include <picus/so3.hpp>

#include <cmath>

namespace picus::models {

HeavyTopReference::HeavyTopReference(const HeavyTopParameters& top, StopRequest stop_request)
    : top_(top), motion_({.R = Mat3::Identity(), .Omega = top.angular_velocity}, top.step, stop_request) {
  const Mat3 arm = so3::skew(top.centre_of_mass);
  J_0_ = Mat3(top.inertia.asDiagonal()) - top.mass * arm * arm;
  J_0_inverse_ = J_0_.inverse();
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

const HeavyTopReference::Motion& HeavyTopReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
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
