#pragma once

/// Progress display of a sweep.

#include <chrono>
#include <cstddef>
#include <string>

namespace picus::program {

/// "12 of 40 done, 1 failed, 0:42 left", on a terminal in place, otherwise every five seconds.
class SweepProgress {
 public:
  /// `before` of `all` points are done; the model is named where there is no terminal.
  SweepProgress(std::size_t all, std::size_t before, std::string model, bool is_quiet);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  /// `note` stands at the end.
  void show(std::size_t done, std::size_t failed, const std::string& note = "");

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t all_, before_;
  std::string model_;
  bool is_quiet_, on_terminal_;
  bool is_drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace picus::program
