#pragma once

/// One simulation of a model that records its signals: the building block of studies and benchmarks.

#include <picus/registered_model.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// The run to make, and the data to keep.
struct Trial {
  Scenario scenario;
  std::string scheme =
      "ds";  ///< or "static": equilibria (StaticEquilibrium), the step is that of the load factor
  SchemeOptions options;                   ///< with the step
  std::optional<int> max_iterations = {};  ///< replaces that of the options; empty: scheme default
  double until = 0.0;                      ///< s
  /// Length of the first step over that of the others, within (0, 1]. Below 1 the grid of times is shifted: the run is
  /// kept from the end of the first step on, and ends at or just before `until` instead of at or just after it.
  double first_step = 1.0;
  std::vector<std::string> signals = {"*"};                  ///< names or patterns of the signals to keep
  std::function<Signals(const RunInfo&)> more_signals = {};  ///< in addition to those of the model
  std::int64_t every = 1;  ///< keep every `every`-th step, the start included
  const std::atomic<bool>* stop_request = nullptr;
  /// CPU time, s, after which the run ends before `until`; its results up to then are kept.
  double longest = std::numeric_limits<double>::infinity();
};

/// A signal at the kept instants of a trial.
struct Series {
  std::string name;
  std::string unit;
  std::string meaning;
  std::vector<double> values;
  std::vector<double> exact;  ///< at the same instants; empty if unknown
};

/// Linear solves of each sub-problem in each step: [step][sub-problem].
using IterationHistory = std::vector<std::array<std::uint8_t, 3>>;

struct TrialResult {
  std::string failure;        ///< empty, or the message of what stopped the run
  bool is_cut_short = false;  ///< whether it took longer than Trial::longest
  std::vector<double> times;  ///< of the kept instants, up to the failure
  std::vector<Series> series;
  IterationHistory iterations;    ///< 255 stands for 255 or more
  std::vector<Finding> findings;  ///< empty for a failed run
  /// For a failed run only steps, sub-problems, fallbacks, warnings and wall time; for one that was cut short also
  /// energies and the final state.
  RunSummary summary;
  /// CPU time of all steps, without the start and recording: the share of the run's CPU time according to the wall
  /// clock.
  double step_seconds = 0.0;

  bool is_complete() const { return failure.empty(); }
  /// Throws OptionError if there is no series of that name.
  const Series& find(std::string_view name) const;
  /// Mean and maximum number of linear solves per step, over all sub-problems or for one of them.
  double mean_iterations() const;
  int worst_iterations() const;
  double mean_iterations(std::size_t subproblem) const;
  int worst_iterations(std::size_t subproblem) const;
  /// Number of fallbacks of any kind.
  std::int64_t fallback_count() const;
};

/// Runs a trial. A failed step is reported in TrialResult::failure; errors in the trial itself (an unknown scheme, a
/// model that cannot start, a pattern that matches no signal) throw, as does a stop request.
TrialResult run(const Trial& trial);

}  // namespace picus::models
