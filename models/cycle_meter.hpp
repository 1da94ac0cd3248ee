#pragma once

/// Evaluates a cyclic motion during a run: the frequency of an angle, and the loss of height per cycle.

#include <optional>

namespace picus::models {

/// Up to the settling time the meter only averages the angle. From then on it records when the angle crosses the mean
/// upwards, interpolated linearly in time, and counts the cycles between the first and the last crossing. Its memory
/// does not depend on the number of samples.
class CycleMeter {
 public:
  explicit CycleMeter(double settling_time) : settling_time_(settling_time) {}

  /// A sample at time t, s; times are ascending. `angle` in rad is unwrapped here: it may jump by 2 pi, but
  /// successive samples are assumed to differ by less than pi. `height` in m.
  void add(double t, double angle, double height);

  int cycles() const { return crossings_ > 0 ? crossings_ - 1 : 0; }
  /// The frequency, Hz; empty until a cycle is complete.
  std::optional<double> frequency() const;
  /// Mean loss of height per cycle, m; empty until a cycle is complete.
  std::optional<double> fall_per_cycle() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(mean_, samples_, crossings_, last_, first_crossing_, last_crossing_);
    archive.require(samples_ >= 0 && crossings_ >= 0);
  }

 private:
  struct Sample {
    double t;
    double angle;
    double height;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(t, angle, height);
    }
  };

  double settling_time_;
  double mean_ = 0.0;  ///< of the angle over the settling time
  long samples_ = 0;   ///< number of samples in the mean
  int crossings_ = 0;
  std::optional<Sample> last_;
  Sample first_crossing_{};
  Sample last_crossing_{};
};

}  // namespace picus::models
