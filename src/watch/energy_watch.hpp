#pragma once

/// The balance of energies against the energies themselves.

#include <picus/energy.hpp>

#include <cmath>
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
  /// The work in a step of what drives components counts in full, whichever sign it has: it comes and goes, and is known
  /// to the first order of the step.
  void add_work_of_motions(double work) { driven_ += std::abs(work); }
  void see(const Energies& now, double time);
  /// A sentence when more was gained or lost in so many steps than may be an error of discretisation.
  std::optional<std::string> warning(std::int64_t steps) const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(start_, turned_over_, driven_, worst_, time_of_worst_);
  }

 private:
  double start_ = 0.0;        ///< potential at the start, J
  double turned_over_ = 0.0;  ///< largest energy, change of energy or work so far, J
  double driven_ = 0.0;       ///< sum of add_work_of_motions(), J
  double worst_ = 0.0;        ///< balance of the largest magnitude; NaN or infinite once it was
  double time_of_worst_ = 0.0;
};

}  // namespace picus::watch
