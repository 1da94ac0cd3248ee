#include <picus/models/references/swing_reference.hpp>

#include <cmath>

namespace picus::models {
namespace {

constexpr int steps_of_a_swing = 20;
constexpr std::size_t most_swing_pieces = 50'000;

}  // namespace

SwingReference::SwingReference(const SwingParameters& swing, StopRequest stop_request)
    : swing_(swing),
      motion_({.motion = {swing.angle, swing.rate}}, most_swing_pieces, stop_request),
      last_{swing.angle, swing.rate} {}

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

SwingReference::Checkpoint SwingReference::go_on(Front& front) const {
  const Checkpoint checkpoint{front.time, front.motion};
  for (int i = 0; i < steps_of_a_swing; ++i) front.motion = advance(front.motion, swing_.step);
  front.number += 1.0;
  front.time = front.number * (steps_of_a_swing * swing_.step);
  return checkpoint;
}

const SwingReference::Motion& SwingReference::at(double t) {
  if (t == last_time_) return last_;
  const Checkpoint& before = motion_.at(t, [this](Front& front) { return go_on(front); });
  last_ = before.motion;
  const double rest = t - before.start;
  const int count = static_cast<int>(std::ceil(rest / swing_.step));
  for (int i = 0; i < count; ++i) last_ = advance(last_, rest / count);
  last_time_ = t;
  return last_;
}

}  // namespace picus::models
