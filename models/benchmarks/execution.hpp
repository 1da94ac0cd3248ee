#pragma once

/// Runs benchmarks: all runs of all benchmarks in parallel, the longest first. An error in one of them does not
/// affect the others.

#include <picus/models/benchmarks/result.hpp>
#include <picus/models/study/side_by_side.hpp>

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace picus::models {

struct Progress {
  std::size_t finished;     ///< simulations so far
  std::size_t simulations;  ///< total
  double fraction;          ///< of the work, estimated, 0 to 1
  std::string_view task;    ///< the task that started or ended, "bouncing-ball: convergence, h = 0.001 s"
  bool has_ended;
};

struct ExecutionOptions {
  Effort effort = Effort::full;
  unsigned workers = available_workers();
  int threads = 1;  ///< of each run; 0: all cores
  /// Set to true by another thread to end all runs; benchmarks complete by then keep their results.
  const std::atomic<bool>* stop_request = nullptr;
  std::function<void(const Progress&)> progress;  ///< called one call at a time, from any thread
};

/// One result per benchmark, in their order; except for the times it does not depend on the number of workers. A
/// benchmark is judged and drawn, and its signals are freed, as soon as its last simulation has ended.
std::vector<BenchmarkResult> execute(std::span<const Benchmark> benchmarks, const ExecutionOptions& options);

/// The rows of a benchmark. If some cannot be computed, because a run they need failed, a single missed row that says
/// so replaces the remaining ones of that group.
Rows judge(const Benchmark& benchmark, const Experiments& outcomes, Effort effort);

}  // namespace picus::models
