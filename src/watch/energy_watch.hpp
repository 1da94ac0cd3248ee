#pragma once

/// The balance of energies against the energies themselves.

#include <picus/energy.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace picus::watch {

/// Looks at the energies of the first steps, and of every 16th then: their evaluation costs as much as that of all forces.
class EnergyWatch {
 public:
  /// Of the start of a run.
  explicit EnergyWatch(const Energies& start);
  /// Whether this step is looked at.
  static bool is_due(std::int64_t step) { return step <= 16 || step % 16 == 0; }
  /// How much less the work of driven components is if reactions vary linearly over a step than if they have the value of
  /// its end, summed from now on, J. States hold the one or the other, as the scheme and impacts have it.
  void add_doubt_of_motions(double work) { doubt_ += work; }
  void record_step(const Energies& now, double time);
  /// A sentence when more was gained or lost in so many steps than may be an error of discretisation.
  std::optional<std::string> warning(std::int64_t steps) const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(start_, turned_over_, doubt_, worst_, time_of_worst_);
  }

 private:
  double start_ = 0.0;        ///< potential at the start, J
  double turned_over_ = 0.0;  ///< largest energy, change of energy or work so far, J
  double doubt_ = 0.0;        ///< sum of add_doubt_of_motions(), J
  double worst_ = 0.0;        ///< balance of the largest magnitude; NaN or infinite once it was
  double time_of_worst_ = 0.0;
};

}  // namespace picus::watch
