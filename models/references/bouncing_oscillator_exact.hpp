#pragma once

/// The exact motion of two equal balls on a vertical spring that fall from rest onto a rigid floor, from event to
/// event in closed form. The lower ball bounces with Newton's coefficient of restitution e (Chen and others 2013,
/// appendix B).
///
/// With x the gap under the lower ball, r the extension of the spring and q_2 = x + l + r the height of the upper ball:
///
///     flight   m x'' = -m g + k r,   r'' = -w^2 r,   w^2 = 2 k / m
///     impact   x'(+) = -e x'(-),   q_2' continuous
///     contact  x = 0,   m r'' = -m g - k r,   until m g - k r, the force of the floor, is zero
///
/// The paper stops before impacts first accumulate. Here the lower ball stays on the floor from then on, until the
/// spring lifts it. When w times the duration of a flight falls below 1e-6, the impacts are taken as accumulated.

#include <picus/models/references/followed_motion.hpp>

#include <limits>
#include <vector>

namespace picus::models {

class BouncingOscillatorExact {
 public:
  struct Parameters {
    double mass;         ///< m of each ball, kg, > 0
    double stiffness;    ///< k, N/m, > 0
    double length;       ///< l, free length of the spring, m
    double height;       ///< initial height of the lower contact point above the floor, m, > 0
    double restitution;  ///< e, in [0, 1]
    double gravity;      ///< g, m/s2, > 0
  };
  /// The motion up to `until`, s, which is computed only as far as it is queried. A query that has to compute further
  /// throws Interrupted if a stop is requested. Not for concurrent use.
  BouncingOscillatorExact(const Parameters& parameters, double until, StopRequest stop_request = nullptr);

  /// Gap under the lower ball and height of the upper one, m, and their rates, m/s (right limits at an impact), for t in
  /// [0, until].
  double lower_position(double t) const { return motion(t).x; }
  double lower_velocity(double t) const { return motion(t).vx; }
  double upper_position(double t) const;
  double upper_velocity(double t) const;
  /// Of both balls, zero with both on the floor and the spring at its free length, J.
  double energy(double t) const;

  /// Times of all impacts of the lower ball up to `until`, s, however many these are, and of the next one.
  const std::vector<double>& impact_times() const;
  /// The first impact time, s.
  double first_impact() const;
  /// When impacts first accumulate, s; infinite if that is not before `until`.
  double first_accumulation() const;

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  struct Motion {
    double x;   ///< gap, m
    double vx;  ///< m/s
    double r;   ///< extension, m
    double vr;  ///< m/s
  };
  /// A flight, or a period on the floor.
  struct Phase {
    double start;
    Motion motion;  ///< at the start
    bool on_floor;
  };
  struct Front {
    double time;  ///< start of the phase
    Phase phase;
    double impact = never;  ///< time of the impact with which this phase begins
    double first_accumulation = never;
    bool has_ended = false;
  };

  Phase advance(Front& front) const;
  Motion motion(double t) const;
  Motion motion(const Phase& phase, double s) const;
  /// From the start of the phase, s; infinite if it does not end.
  double duration(const Phase& phase) const;
  double flight_time(const Motion& start) const;
  double time_on_floor(const Motion& start) const;

  Parameters p_;
  double w_;        ///< angular frequency of the relative motion of the balls, rad/s
  double w_floor_;  ///< that of the upper ball with the lower one at rest, rad/s
  double until_;
  mutable FollowedMotion<Front, Phase> motion_;
  mutable std::vector<double> impact_times_;  ///< filled on request
};

}  // namespace picus::models
