#pragma once

/// Sampling of a sensor during a run: determines which steps are sampled, and accumulates means.

#include <picus/archive.hpp>
#include <picus/sensor.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace picus {

/// One sensor in one run.
class SensorSampler {
 public:
  /// Copies the sensor.
  explicit SensorSampler(const Sensor& sensor);

  /// To be called for the start, then for every step. Returns whether it is sampled; values() is then the sample.
  /// Allocates nothing, and reads the sensor between two samples only for means.
  bool record_step(const Reading& reading);
  /// Samples the last step recorded. Returns false if it has been sampled already.
  bool record_last(const Reading& reading);

  /// All quantities of the last sample, one after another.
  std::span<const double> values() const { return values_; }
  /// Number of values.
  std::size_t size() const { return values_.size(); }

  /// Stores the state between two samples, for checkpoints.
  void serialize(Archive& archive);

 private:
  void sample(const Reading& reading);

  Sensor sensor_;
  std::int64_t next_ = 0;       ///< the multiple of the interval that is due next
  std::int64_t unsampled_ = 0;  ///< steps since the last sample
  bool has_begun_ = false;
  std::vector<double> reading_;  ///< what the sensor wrote last
  std::vector<double> sums_;     ///< of the readings since the last sample, for means
  std::vector<double> values_;
};

}  // namespace picus
