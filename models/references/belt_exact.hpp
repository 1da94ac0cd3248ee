#pragma once

/// The motion of the block on the belt (models/belt.hpp), integrated from event to event.
///
/// In flight it obeys
///
///     m x'' = -k (r - l) x / r,   m y'' = -k (r - l) y / r - m g,   r^2 = x^2 + y^2,
///
/// which is integrated by Taylor series of order 24 with coefficients by recurrence: to rounding. At y = 0 an impact
/// gives the impulses
///
///     J_N = m (1 + e) |y'|,   J_T = m (v_0 - x'), but not beyond +-mu J_N,
///
/// the normal force of the spring being finite. The bounces accumulate; they are followed until they last less than
/// rounding lets one see. On the belt the normal force is m g, and the motion is known in closed form: along with the
/// belt as long as k |x - l| <= mu m g, or, slipping, harmonic about l + mu m g / k (block slower than the belt) or
/// l - mu m g / k (faster).

#include <picus/models/belt.hpp>
#include <picus/models/references/piecewise_motion.hpp>

#include <vector>

namespace picus::models {

class BeltExact {
 public:
  enum class Phase : std::uint8_t { flight, stick, slip };
  struct Stage {
    double start;  ///< s
    Phase phase;
  };

  /// Follows the motion up to `until` in s.
  BeltExact(const Belt& parameters, double until);

  /// m and m/s, right limits at impacts.
  double x(double t) const { return motion_.position(0, t); }
  double y(double t) const { return motion_.position(1, t); }
  double vx(double t) const { return motion_.velocity(0, t); }
  double vy(double t) const { return motion_.velocity(1, t); }

  /// Flights between impacts, and the stages on the belt, in their order.
  const std::vector<Stage>& stages() const { return stages_; }
  /// When the bounces have ended, and when the block first slips on the belt; infinite if not up to `until`.
  double bouncing_end() const;
  double first_slip() const;

 private:
  struct Block {
    double t, x, y, vx, vy;
  };
  Block fly(Block block, double until);
  void collide(Block& block) const;
  Block stick(Block block, double until);
  Block slip(Block block, double until);

  Belt belt_;
  PiecewiseMotion motion_;
  std::vector<Stage> stages_;
};

}  // namespace picus::models
