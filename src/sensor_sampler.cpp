#include <picus/sensor_sampler.hpp>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// Relative tolerance of a time below a multiple of the interval: both are rounded products.
constexpr double slack = 1e-12;

/// Upper bound of the number of steps of a run.
constexpr auto max_sampled_steps = static_cast<std::int64_t>(9e15);

std::size_t size_of(const Sensor& sensor) {
  std::size_t size = 0;
  for (const Quantity& quantity : sensor.quantities) size += quantity.size();
  return size;
}

}  // namespace

SensorSampler::SensorSampler(const Sensor& sensor)
    : sensor_(sensor), reading_(size_of(sensor), 0.0), values_(reading_) {
  if (sensor_.sampling == Sampling::mean) sums_ = reading_;
}

bool SensorSampler::record_step(const Reading& reading) {
  ++unsampled_;
  if (sensor_.sampling == Sampling::mean) {
    sensor_.read(reading, reading_);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += reading_[i];
  }
  const bool is_due =
      !has_begun_ || reading.state.time * (1 + slack) >= static_cast<double>(next_) * sensor_.interval;
  if (is_due) sample(reading);
  return is_due;
}

bool SensorSampler::record_last(const Reading& reading) {
  if (unsampled_ == 0) return false;
  sample(reading);
  return true;
}

void SensorSampler::sample(const Reading& reading) {
  if (sensor_.sampling == Sampling::mean) {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      values_[i] = sums_[i] / static_cast<double>(unsampled_);
      sums_[i] = 0.0;
    }
  } else {
    sensor_.read(reading, reading_);
    values_ = reading_;
  }
  has_begun_ = true;
  unsampled_ = 0;
  if (sensor_.interval > 0) {
    next_ = 1 + static_cast<std::int64_t>(std::floor(reading.state.time * (1 + slack) / sensor_.interval));
  }
}

void SensorSampler::serialize(Archive& archive) {
  archive(next_, unsampled_, has_begun_);
  archive.require(next_ >= 0 && unsampled_ >= 0 && unsampled_ <= max_sampled_steps);
  archive.in_place(reading_, sums_, values_);
}

}  // namespace picus
