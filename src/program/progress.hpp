#pragma once

/// Progress display of a run, on standard error.

#include <picus/recorder.hpp>

#include <array>
#include <chrono>
#include <string>

namespace picus::program {

/// On a terminal one line with a bar, redrawn ten times a second and erased at the end; otherwise a plain line every
/// five seconds. The clock is read only every few steps, about a hundred times a second.
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
  /// "t = 0.68 of 1.5 s, 31200 steps/s, 26 s left, iterations 2.0 1.3 1.1, contacts 2 closed 3 open", or shorter for a
  /// terminal; followed by the solves accepted above tolerance, if any.
  std::string status(const State& state, double elapsed) const;

  bool on_terminal_;
  bool is_drawn_ = false;
  std::string model_;
  double until_ = 0.0;
  std::int64_t steps_ = 0;
  std::int64_t stride_ = 1;         ///< steps between two readings of the clock
  std::int64_t steps_to_look_ = 1;  ///< steps until the next reading
  SubproblemNames subproblems_;
  std::array<std::int64_t, 3> iterations_{};
  std::int64_t accepted_ = 0;       ///< solves accepted above tolerance so far
  double accepted_residual_ = 0.0;  ///< worst residual of these
  std::int64_t counted_steps_ = 0;  ///< steps over which the iterations are summed
  Clock::time_point start_;
  Clock::time_point last_look_;
  Clock::time_point last_drawn_;
};

}  // namespace picus::program
