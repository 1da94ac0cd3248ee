#pragma once

/// The motion of the block on the belt (models/belt.hpp), integrated from event to event.
///
/// In flight it obeys
///
///     m x'' = -k (r - l) x / r,   m y'' = -k (r - l) y / r - m g,   r^2 = x^2 + y^2,
///
/// which is integrated by Taylor series of order 24 with coefficients by recurrence, to rounding. At y = 0 an impact
/// has the impulses
///
///     J_N = m (1 + e) |y'|,   J_T = m (v_0 - x'), limited to +-mu J_N,
///
/// since the normal force due to the spring is finite. The bounces accumulate; they are followed until their duration
/// is at rounding level. On the belt the normal force is m g, and the motion is known in closed form: sticking to the
/// belt as long as k |x - l| <= mu m g, or slipping, harmonic about l + mu m g / k (block slower than the belt) or
/// l - mu m g / k (faster).

#include <picus/models/references/belt_parameters.hpp>
#include <picus/models/references/followed_motion.hpp>
#include <picus/models/references/piecewise_motion.hpp>

#include <limits>
#include <vector>

namespace picus::models {

class BeltExact {
 public:
  enum class Phase : std::uint8_t { flight, stick, slip };
  struct Stage {
    double start;  ///< s
    Phase phase;
  };

  /// The motion up to `until`, s, which is computed only as far as it is queried. A query that has to compute further
  /// throws Interrupted if a stop is requested. Not for concurrent use.
  BeltExact(const Belt& parameters, double until, StopRequest stop_request = nullptr);

  /// m and m/s, right limits at impacts.
  double x(double t) const { return piece_at(t).position(0, t); }
  double y(double t) const { return piece_at(t).position(1, t); }
  double vx(double t) const { return piece_at(t).velocity(0, t); }
  double vy(double t) const { return piece_at(t).velocity(1, t); }

  /// Flights between impacts, and the phases on the belt, in order: all up to `until`, however many these are.
  const std::vector<Stage>& stages() const;
  /// When bouncing ends, and when the block first slips on the belt; infinite if not up to `until`.
  double bouncing_end() const;
  double first_slip() const;

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// The block at the end of the part computed so far.
  struct Front {
    double time, x, y, vx, vy;
    Phase phase = Phase::flight;
    bool begins_stage = true;
    double slip_centre = 0.0;  ///< during slip: centre of the harmonic motion, m
    double slip_sign = 0.0;    ///< 1 if the block is slower than the belt, -1 if it is faster
    double bouncing_end = never;
    double first_slip = never;
    bool has_ended = false;
  };

  const MotionPiece& piece_at(double t) const;
  MotionPiece advance(Front& block) const;
  MotionPiece fly(Front& block) const;
  MotionPiece stick(Front& block) const;
  MotionPiece slip(Front& block) const;
  void collide(Front& block) const;
  /// Chooses the phase on the belt after bounces, a stick or a slip.
  void choose_phase(Front& block) const;
  void begin_slip(Front& block) const;

  Belt belt_;
  double until_;
  mutable FollowedMotion<Front, MotionPiece> motion_;
  mutable std::vector<Stage> stages_;  ///< filled on request
};

}  // namespace picus::models
