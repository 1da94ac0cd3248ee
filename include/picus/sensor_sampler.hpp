#pragma once

/// A sensor in the course of a run: tells which steps it samples, and gathers means.

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

  /// Takes the start, then every step. Returns whether it is sampled; values() is then the sample. Allocates
  /// nothing, and reads nothing between two samples unless it gathers a mean.
  bool record_step(const Reading& reading);
  /// Makes a sample of the last step that it saw. Returns false if that is one already.
  bool record_last(const Reading& reading);

  /// All quantities of the last sample, one after another.
  std::span<const double> values() const { return values_; }
  /// Number of values.
  std::size_t size() const { return values_.size(); }

  /// Where it is between two samples, for checkpoints.
  void serialize(Archive& archive);

 private:
  void sample(const Reading& reading);

  Sensor sensor_;
  std::int64_t next_ = 0;       ///< the multiple of the interval that is due next
  std::int64_t unsampled_ = 0;  ///< steps seen since the last sample
  bool has_begun_ = false;
  std::vector<double> reading_;  ///< what the sensor wrote last
  std::vector<double> sums_;     ///< of the readings since the last sample, for means
  std::vector<double> values_;
};

}  // namespace picus
