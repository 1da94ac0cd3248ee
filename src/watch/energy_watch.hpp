#pragma once

/// The balance of energies against the energies themselves.

#include <picus/energy.hpp>

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
  void see(const Energies& now, double time);
  /// A sentence when more was gained or lost than may be an error of discretisation.
  std::optional<std::string> warning() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(start_, turned_over_, worst_, time_of_worst_);
  }

 private:
  double start_ = 0.0;        ///< potential at the start, J
  double turned_over_ = 0.0;  ///< largest energy, change of energy or work so far, J
  double worst_ = 0.0;        ///< balance of the largest magnitude; NaN or infinite once it was
  double time_of_worst_ = 0.0;
};

}  // namespace picus::watch
