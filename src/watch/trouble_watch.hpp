#pragma once

/// Monitoring of steps that needed fallbacks, and of the causes.

#include <picus/time_integrator.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace picus::watch {

class TroubleWatch {
 public:
  /// A cause, and the number of steps that it concerned.
  using Culprit = std::pair<std::string, std::int64_t>;

  void record_step(const StepReport& report);
  /// A warning if one step in a hundred or more needed a fallback.
  std::optional<std::string> warning(std::int64_t steps) const;

  const std::vector<Culprit>& culprits() const { return culprits_; }
  /// Whether the data, read from a file, is consistent with a run of this number of steps.
  bool is_sound(std::int64_t steps) const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(steps_, culprits_);
  }

 private:
  std::int64_t steps_ = 0;  ///< steps with a fallback whose cause is known
  std::vector<Culprit> culprits_;
};

}  // namespace picus::watch
