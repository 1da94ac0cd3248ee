#pragma once

/// How far a run has come, on standard error.

#include <picus/recorder.hpp>

#include <array>
#include <chrono>
#include <string>

namespace picus::program {

/// On a terminal one line with a bar, drawn anew ten times a second and wiped at the end; elsewhere a plain
/// line every five seconds. It looks at the clock only every so many steps, about a hundred times a second.
class ProgressDisplay : public Recorder {
 public:
  ProgressDisplay();

  void begin(const RunInfo& run) override;
  void record(const Snapshot& snapshot) override;
  void finish(const std::string& outcome) override;

 private:
  using Clock = std::chrono::steady_clock;

  void look_at_clock(const State& state);
  void draw(const State& state, double elapsed);
  /// "t = 0.68 of 1.5 s, 31200 steps/s, 26 s left, iterations 2.0 1.3 1.1, contacts 2 closed 3 open", or
  /// shorter for a terminal; what was accepted above tolerance after it, if anything was.
  std::string status(const State& state, double elapsed) const;

  bool on_terminal_;
  bool is_drawn_ = false;
  std::string model_;
  double until_ = 0.0;
  std::int64_t steps_ = 0;
  std::int64_t stride_ = 1;         ///< steps from one look at the clock to the next
  std::int64_t steps_to_look_ = 1;  ///< until the next one
  SubproblemNames subproblems_;
  std::array<std::int64_t, 3> iterations_{};
  std::int64_t accepted_ = 0;       ///< solves above tolerance so far
  double accepted_residual_ = 0.0;  ///< the worst of them
  std::int64_t counted_steps_ = 0;  ///< over which the iterations are summed
  Clock::time_point start_;
  Clock::time_point last_look_;
  Clock::time_point last_drawn_;
};

}  // namespace picus::program
