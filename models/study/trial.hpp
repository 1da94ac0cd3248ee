#pragma once

/// One simulation of a model for the sake of its signals: what studies and benchmarks are made of.

#include <picus/registered_model.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// What to run, and what to keep of it.
struct Trial {
  Scenario scenario;
  std::string scheme = "ds";
  SchemeOptions options;                     ///< with the step
  std::optional<int> max_iterations = {};    ///< in place of that of the options; empty: as suits the scheme
  double until = 0.0;                        ///< s
  std::vector<std::string> signals = {"*"};  ///< names or patterns of the signals to keep
  std::int64_t every = 1;                    ///< keep every so many steps, the start included
  const std::atomic<bool>* stop_request = nullptr;
};

/// A signal over the kept instants of a trial.
struct Series {
  std::string name;
  std::string unit;
  std::string meaning;
  std::vector<double> values;
  std::vector<double> exact;  ///< at the same instants; empty where none is known
};

/// Linear solves of each sub-problem in each step: [step][sub-problem].
using IterationHistory = std::vector<std::array<std::uint8_t, 3>>;

struct TrialResult {
  std::string failure;        ///< empty, or the message of what stopped the run
  std::vector<double> times;  ///< of the kept instants, up to the failure
  std::vector<Series> series;
  IterationHistory iterations;    ///< 255 stands for more
  std::vector<Finding> findings;  ///< empty for a failed run
  RunSummary summary;             ///< of a failed run only steps, sub-problems, fallbacks and wall time
  /// CPU time of all steps, without the start and what is recorded: of the run's, their share by the wall clock.
  double step_seconds = 0.0;

  bool is_complete() const { return failure.empty(); }
  /// Throws OptionError when there is no series of that name.
  const Series& find(std::string_view name) const;
  /// Mean and maximum number of linear solves in a step, all sub-problems together or one of them.
  double mean_iterations() const;
  int worst_iterations() const;
  double mean_iterations(std::size_t subproblem) const;
  int worst_iterations(std::size_t subproblem) const;
  /// How often a fallback was needed, of any kind.
  std::int64_t fallback_count() const;
};

/// Runs it. A step that fails ends in TrialResult::failure; whatever is wrong with the trial itself (an unknown
/// scheme, a model that cannot start, a pattern that fits no signal) throws, as does a stop request.
TrialResult run(const Trial& trial);

}  // namespace picus::models
