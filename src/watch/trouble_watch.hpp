#pragma once

/// Steps that needed a way out, and what they stumbled over.

#include <picus/time_integrator.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace picus::watch {

class TroubleWatch {
 public:
  /// What steps stumbled over, and how many.
  using Culprit = std::pair<std::string, std::int64_t>;

  void record_step(const StepReport& report);
  /// A sentence when one step in a hundred or more was in trouble.
  std::optional<std::string> warning(std::int64_t steps) const;

  const std::vector<Culprit>& culprits() const { return culprits_; }
  /// Whether it may be that of a run of so many steps; for what was read from files.
  bool is_sound(std::int64_t steps) const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(steps_, culprits_);
  }

 private:
  std::int64_t steps_ = 0;  ///< with a way out whose cause is known
  std::vector<Culprit> culprits_;
};

}  // namespace picus::watch
