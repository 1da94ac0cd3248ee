#pragma once

/// A motion computed by a one-step method with a fixed step size, with a checkpoint every few steps, so that queries
/// in ascending order are cheap. The caller passes the method,
///
///     Motion advance(const Motion& from, double h)
///
/// so that reference solutions can be copied.

#include <picus/models/references/followed_motion.hpp>

#include <cmath>
#include <cstddef>

namespace picus::models {

template <class Motion>
class SteppedMotion {
 public:
  SteppedMotion(const Motion& start, double step, StopRequest stop_request)
      : step_(step), pieces_({.motion = start}, max_checkpoints, stop_request), last_(start) {}

  /// The motion at t >= 0. Throws Interrupted if a stop is requested.
  template <class Advance>
  const Motion& at(double t, const Advance& advance) {
    if (t == last_time_) return last_;
    const Checkpoint& before = pieces_.at(t, [&](Front& front) { return go_on(front, advance); });
    last_ = before.motion;
    const double rest = t - before.start;
    const int count = static_cast<int>(std::ceil(rest / step_));
    for (int i = 0; i < count; ++i) last_ = advance(last_, rest / count);
    last_time_ = t;
    return last_;
  }

 private:
  static constexpr int steps_between_checkpoints = 20;
  static constexpr std::size_t max_checkpoints = 50'000;

  struct Checkpoint {
    double start;
    Motion motion;
  };
  struct Front {
    double time = 0.0;
    double number = 0.0;  ///< of the checkpoint
    Motion motion;
    bool has_ended = false;
  };

  template <class Advance>
  Checkpoint go_on(Front& front, const Advance& advance) const {
    const Checkpoint checkpoint{front.time, front.motion};
    for (int i = 0; i < steps_between_checkpoints; ++i) front.motion = advance(front.motion, step_);
    front.number += 1.0;
    front.time = front.number * (steps_between_checkpoints * step_);
    return checkpoint;
  }

  double step_;
  FollowedMotion<Front, Checkpoint> pieces_;
  double last_time_ = 0.0;
  Motion last_;
};

}  // namespace picus::models
