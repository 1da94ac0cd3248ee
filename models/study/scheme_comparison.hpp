#pragma once

/// The same model with several schemes: the computing time of each, and the final positions.

#include <picus/models/study/trial.hpp>

#include <optional>
#include <string>
#include <vector>

namespace picus::models {

struct SchemeComparison {
  Scenario scenario;
  std::vector<std::string> schemes;  ///< the others are compared with the first one
  double step = 1e-3;                ///< s
  double until = 1.0;                ///< s
  /// CPU time, s, after which the run of the first scheme ends; the others then end at the same time of the model.
  double longest = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* stop_request = nullptr;
};

/// How many times as long as the first one the runs of the other schemes may take, at least by
/// SchemeComparison::longest.
inline constexpr double longest_of_others = 5.0;

/// The run with one scheme.
struct SchemeOutcome {
  std::string scheme;
  TrialResult result;  ///< without series; a run that cannot start is one that failed after no step
  double until = 0.0;  ///< final time, s; not reached by a run that failed or was cut short
  /// CPU time of the steps (of short runs the shortest of up to 20) over that of the first scheme; empty unless both reached the same time.
  std::optional<double> time_ratio;
  /// Largest distance of a node from its place with the first scheme, m; of scalar nodes in models without others, in
  /// their unit. Empty unless both reached the same time.
  std::optional<double> distance;

  /// Time that the run reached, s.
  double reached() const { return result.times.empty() ? 0.0 : result.times.back(); }
};

/// One outcome for each scheme. Only a stop request throws (Interrupted).
std::vector<SchemeOutcome> compare_schemes(const SchemeComparison& comparison);

}  // namespace picus::models
