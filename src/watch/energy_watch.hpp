#pragma once

/// Monitoring of the energy balance, and of the work of impacts, relative to the energies.

#include <picus/energy.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace picus::watch {

/// Checks the energies of the first steps, and of every 16th step afterwards: their evaluation costs as much as that of
/// all forces.
class EnergyWatch {
 public:
  /// `start` are the energies at the start of a run.
  explicit EnergyWatch(const Energies& start);
  /// Whether this step is checked.
  static bool is_due(std::int64_t step) { return step <= 16 || step % 16 == 0; }
  /// Adds an uncertainty of the work of driven components, J: the difference between reactions that are equal to their
  /// value at the end of a step and those that vary linearly over the step. Which of these a state contains depends on
  /// the scheme and on impacts.
  void add_doubt_of_motions(double work) { doubt_ += work; }
  void record_step(const Energies& now, double time);
  /// Adds an energy, J, that is turned over without being seen in those of a step.
  void add_turned_over(double energy) {
    if (energy > turned_over_) turned_over_ = energy;
  }
  /// A warning if more energy was gained or lost in this number of steps than a discretisation error explains.
  std::optional<std::string> warning(std::int64_t steps) const;
  /// A warning if normal impulses, which can only take energy, have added some.
  std::optional<std::string> warning_of_impacts() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(start_, turned_over_, doubt_, worst_, time_of_worst_, lowest_work_, added_, time_of_added_);
  }

 private:
  double start_ = 0.0;        ///< potential at the start, J
  double turned_over_ = 0.0;  ///< largest energy, energy change or work so far, J
  double doubt_ = 0.0;        ///< sum of add_doubt_of_motions(), J
  double worst_ = 0.0;        ///< balance of the largest magnitude; remains NaN or infinite once it was
  double time_of_worst_ = 0.0;
  double lowest_work_ = 0.0;  ///< of impacts so far, J
  double added_ = 0.0;        ///< the largest increase of this work above its lowest value, J
  double time_of_added_ = 0.0;
};

}  // namespace picus::watch
