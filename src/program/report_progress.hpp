#pragma once

/// Progress display of a report, on standard error.

#include <picus/models/benchmarks/execution.hpp>

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace picus::program {

/// Displays progress during its lifetime: on a terminal one line with a bar, which is redrawn, otherwise a plain line
/// every five seconds.
class ReportProgress {
 public:
  ReportProgress();
  ~ReportProgress();
  ReportProgress(const ReportProgress&) = delete;
  ReportProgress& operator=(const ReportProgress&) = delete;

  /// May be called from any thread.
  void update(const models::Progress& progress);
  /// Displays this activity, e.g. "drawing the page", instead of simulations from now on.
  void say(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;

  void draw_until_stopped(const std::stop_token& stop);
  std::string status() const;

  bool on_terminal_;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  ///< protects all members below
  std::condition_variable_any wake_;
  std::string what_ = "preparing";
  std::size_t finished_ = 0;
  std::size_t simulations_ = 0;
  double fraction_ = 0.0;
  std::list<std::string> at_work_;  ///< running simulations, the oldest first
  std::jthread drawer_;
};

}  // namespace picus::program
