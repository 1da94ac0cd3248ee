#include <picus/models/references/swing_reference.hpp>

#include <cmath>

namespace picus::models {

SwingReference::SwingReference(const SwingParameters& swing, StopRequest stop_request)
    : swing_(swing), motion_({swing.angle, swing.rate}, swing.step, stop_request) {}

SwingReference::Motion SwingReference::advance(const Motion& from, double h) const {
  const auto rate = [&](const Motion& at) { return Motion{at.rate, -swing_.k * std::cos(at.angle)}; };
  const auto moved = [&](const Motion& by, double step) {
    return Motion{from.angle + step * by.angle, from.rate + step * by.rate};
  };
  const Motion k1 = rate(from);
  const Motion k2 = rate(moved(k1, h / 2));
  const Motion k3 = rate(moved(k2, h / 2));
  const Motion k4 = rate(moved(k3, h));
  return moved(
      {k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle, k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate},
      h / 6);
}

const SwingReference::Motion& SwingReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
}

}  // namespace picus::models
