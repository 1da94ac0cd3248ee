#pragma once

/// Measures a cyclic motion while it goes on: how often an angle swings, and how far something falls in a
/// cycle.

#include <optional>

namespace picus::models {

/// Up to the settling time the meter only learns the mean level of the angle. From there on it notes where
/// the angle crosses that level upwards, interpolated linearly in time, and counts the cycles between the
/// first and the last crossing. It keeps a handful of numbers, whatever the number of samples.
class CycleMeter {
 public:
  explicit CycleMeter(double settling_time) : settling_time_(settling_time) {}

  /// A sample at time t, s; times ascend. `angle` in rad is unwrapped here: it may jump by 2 pi, but two
  /// samples in succession are taken to be less than pi apart. `height` in m.
  void add(double t, double angle, double height);

  int cycles() const { return crossings_ > 0 ? crossings_ - 1 : 0; }
  /// Hz; empty until a cycle is complete.
  std::optional<double> frequency() const;
  /// Mean loss of height in a cycle, m; empty until a cycle is complete.
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
  long samples_ = 0;   ///< that the mean is made of
  int crossings_ = 0;
  std::optional<Sample> last_;
  Sample first_crossing_{};
  Sample last_crossing_{};
};

}  // namespace picus::models
