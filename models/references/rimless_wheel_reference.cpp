#include <picus/models/references/rimless_wheel_reference.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {

RimlessWheelReference::RimlessWheelReference(const RimlessWheelParameters& wheel, StopRequest stop_request)
    : wheel_(wheel),
      half_(std::numbers::pi / static_cast<double>(wheel.spokes)),
      motion_({.angle = wheel.angle, .rate = wheel.rate}, wheel.step, stop_request) {}

RimlessWheelReference::Motion RimlessWheelReference::advance(const Motion& from, double h) const {
  const auto rate = [&](const Motion& at) {
    return Motion{.angle = at.rate, .rate = wheel_.k * std::sin(at.angle)};
  };
  const auto moved = [&](const Motion& by, double step) {
    return Motion{from.angle + step * by.angle, from.rate + step * by.rate, from.steps};
  };
  const Motion k1 = rate(from);
  const Motion k2 = rate(moved(k1, h / 2));
  const Motion k3 = rate(moved(k2, h / 2));
  const Motion k4 = rate(moved(k3, h));
  return moved({.angle = k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle,
                .rate = k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate},
               h / 6);
}

double RimlessWheelReference::distance_to_impact(const Motion& motion, bool downhill) const {
  const double from_normal = motion.angle - wheel_.slope;
  return half_ - (downhill ? from_normal : -from_normal);
}

RimlessWheelReference::Motion RimlessWheelReference::advance_through_impacts(Motion motion, double h) const {
  constexpr int max_impacts = 4;  // within one step: more of them count as accumulation
  for (int i = 0; i < max_impacts && !motion.rests; ++i) {
    const Motion end = advance(motion, h);
    const bool downhill = end.angle > wheel_.slope;
    if (distance_to_impact(end, downhill) > 0) return end;
    double before = 0.0;
    double after = h;
    while (after - before > 1e-15) {
      const double middle = (before + after) / 2;
      (distance_to_impact(advance(motion, middle), downhill) > 0 ? before : after) = middle;
    }
    motion = advance(motion, after);
    const double side = downhill ? 1.0 : -1.0;
    motion.angle = wheel_.slope - side * half_;
    motion.rate *= wheel_.kept;
    motion.steps += side;
    h -= after;
  }
  motion.rests = true;
  motion.rate = 0.0;
  return motion;
}

const RimlessWheelReference::Motion& RimlessWheelReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance_through_impacts(from, h); });
}

double RimlessWheelReference::limit_rate() const {
  return std::sqrt(4 * wheel_.k * std::sin(wheel_.slope) * std::sin(half_) / (1 - wheel_.kept * wheel_.kept));
}

}  // namespace picus::models
