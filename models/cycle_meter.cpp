#include <picus/models/cycle_meter.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {

void CycleMeter::add(double t, double angle, double height) {
  if (last_) angle = last_->angle + std::remainder(angle - last_->angle, 2.0 * std::numbers::pi);
  const Sample sample{t, angle, height};
  if (t < settling_time_) {
    ++samples_;
    mean_ += (angle - mean_) / static_cast<double>(samples_);
  } else if (last_ && samples_ > 0 && last_->angle < mean_ && angle >= mean_) {
    const double fraction = (mean_ - last_->angle) / (angle - last_->angle);
    last_crossing_ = {std::lerp(last_->t, t, fraction), mean_, std::lerp(last_->height, height, fraction)};
    if (crossings_ == 0) first_crossing_ = last_crossing_;
    ++crossings_;
  }
  last_ = sample;
}

std::optional<double> CycleMeter::frequency() const {
  if (cycles() == 0) return std::nullopt;
  return cycles() / (last_crossing_.t - first_crossing_.t);
}

std::optional<double> CycleMeter::fall_per_cycle() const {
  if (cycles() == 0) return std::nullopt;
  return (first_crossing_.height - last_crossing_.height) / cycles();
}

}  // namespace picus::models
