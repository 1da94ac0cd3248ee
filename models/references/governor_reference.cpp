#include <picus/models/references/governor_reference.hpp>

#include <cmath>

namespace picus::models {

GovernorReference::GovernorReference(const GovernorParameters& governor, StopRequest stop_request)
    : governor_(governor),
      first_((governor.arm_mass / 2 + governor.ball_mass) * governor.arm_length),
      second_((governor.arm_mass / 3 + governor.ball_mass) * governor.arm_length * governor.arm_length),
      across_(governor.arm_mass * governor.arm_width * governor.arm_width / 12),
      momentum_(inertia(governor.angle).value * governor.speed),
      motion_({governor.angle, governor.slider, 0.0, 0.0}, governor.step, stop_request) {}

GovernorReference::Inertia GovernorReference::inertia(double theta) const {
  const double a = governor_.half_width;
  const double c = std::cos(theta);
  const double s = std::sin(theta);
  const double mass = governor_.arm_mass + governor_.ball_mass;
  const double arm = mass * a * a + 2 * a * c * first_ + c * c * second_ + (1 + s * s) * across_;
  const double slope = -2 * a * s * first_ + 2 * s * c * (across_ - second_);
  return {governor_.fixed_inertia + 2 * arm, 2 * slope};
}

GovernorReference::Motion GovernorReference::rate(const Motion& at) const {
  const GovernorParameters& p = governor_;
  const double c = std::cos(at.angle);
  const double s = std::sin(at.angle);
  const double half = p.arm_length / 2;
  // From the slider to the midpoint of the arm.
  const double x = half * c;
  const double z = p.height - half * s - at.slider;
  const double l = std::hypot(x, z);
  const double by_angle = (-x * half * s - z * half * c) / l;
  const double by_slider = -z / l;
  const double tension =
      p.stiffness * (l - p.free_length) + p.damping * (by_angle * at.angle_rate + by_slider * at.slider_rate);
  const Inertia about_shaft = inertia(at.angle);
  const double speed = momentum_ / about_shaft.value;
  const double moment =
      2 * p.gravity * first_ * c - 2 * tension * by_angle + speed * speed * about_shaft.slope / 2;
  const double force = -p.slider_mass * p.gravity - 2 * tension * by_slider;
  return {at.angle_rate, at.slider_rate, moment / (2 * (second_ + across_)), force / p.slider_mass};
}

GovernorReference::Motion GovernorReference::advance(const Motion& from, double h) const {
  const auto moved = [&](const Motion& by, double step) {
    return Motion{from.angle + step * by.angle, from.slider + step * by.slider,
                  from.angle_rate + step * by.angle_rate, from.slider_rate + step * by.slider_rate};
  };
  const Motion k1 = rate(from);
  const Motion k2 = rate(moved(k1, h / 2));
  const Motion k3 = rate(moved(k2, h / 2));
  const Motion k4 = rate(moved(k3, h));
  return moved({k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle,
                k1.slider + 2 * k2.slider + 2 * k3.slider + k4.slider,
                k1.angle_rate + 2 * k2.angle_rate + 2 * k3.angle_rate + k4.angle_rate,
                k1.slider_rate + 2 * k2.slider_rate + 2 * k3.slider_rate + k4.slider_rate},
               h / 6);
}

const GovernorReference::Motion& GovernorReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
}

double GovernorReference::speed(double t) {
  return momentum_ / inertia(at(t).angle).value;
}

}  // namespace picus::models
