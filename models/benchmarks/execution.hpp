#pragma once

/// Runs benchmarks: all runs of all of them side by side, the longest first. Whatever goes wrong in one of them
/// stays there.

#include <picus/models/benchmarks/result.hpp>
#include <picus/models/study/side_by_side.hpp>

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace picus::models {

struct Progress {
  std::size_t finished;     ///< simulations
  std::size_t simulations;  ///< in all
  double fraction;          ///< of the work, by an estimate, 0 to 1
  std::string_view task;    ///< which one began or ended, "bouncing-ball: convergence, h = 0.001 s"
  bool has_ended;
};

struct ExecutionOptions {
  Effort effort = Effort::full;
  unsigned workers = available_workers();
  int threads = 1;  ///< of each run; 0: all cores
  /// Set to true elsewhere to end all runs; benchmarks that are done by then keep their results.
  const std::atomic<bool>* stop_request = nullptr;
  std::function<void(const Progress&)> progress;  ///< hears of it one call at a time, from any thread
};

/// One result for each benchmark, in their order; all but the times is the same for any number of workers. A
/// benchmark is judged, drawn and its signals are freed as soon as its last simulation has ended.
std::vector<BenchmarkResult> execute(std::span<const Benchmark> benchmarks, const ExecutionOptions& options);

/// The rows of a benchmark. Where some cannot be had, because a run that they need failed, a missed one that says so stands
/// for the rest of those that go with them.
Rows judge(const Benchmark& benchmark, const Experiments& outcomes, Effort effort);

}  // namespace picus::models
