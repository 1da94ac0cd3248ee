#pragma once

/// The swing of a pendulum, or of whatever has one angle phi and the same equation: from the horizontal, upwards positive,
///
///     d2phi/dt2 = -k cos(phi)
///
/// by the method of Runge and Kutta of fourth order in steps of 0.1 ms; with k of 10 to 20 1/s2 its error is below 1e-11 rad
/// after 10 s.

#include <picus/models/references/followed_motion.hpp>

namespace picus::models {

struct SwingParameters {
  double k;            ///< 1/s2
  double angle;        ///< at t = 0, rad
  double rate;         ///< at t = 0, rad/s
  double step = 1e-4;  ///< of the method, s
};

class SwingReference {
 public:
  explicit SwingReference(const SwingParameters& swing, StopRequest stop_request = nullptr);

  struct Motion {
    double angle;  ///< rad
    double rate;   ///< rad/s
  };
  /// At t >= 0; as HeavyTopReference::at().
  const Motion& at(double t);

 private:
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
  Checkpoint go_on(Front& front) const;
  Motion advance(const Motion& from, double h) const;

  SwingParameters swing_;
  FollowedMotion<Front, Checkpoint> motion_;  ///< a checkpoint every 20 steps
  double last_time_ = 0.0;
  Motion last_;
};

}  // namespace picus::models
