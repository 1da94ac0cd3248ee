#pragma once

/// The exact motion of two equal balls on a vertical spring that fall from rest on a rigid floor, the lower of which
/// bounces with Newton restitution e (Chen and others 2013, appendix B), from event to event in closed form.
///
/// With x the gap under the lower ball, r the extension of the spring and q_2 = x + l + r the height of the upper ball:
///
///     flight   m x'' = -m g + k r,   r'' = -w^2 r,   w^2 = 2 k / m
///     impact   x'(+) = -e x'(-),   q_2' continuous
///     contact  x = 0,   m r'' = -m g - k r,   until m g - k r, the force of the floor, is zero
///
/// The paper stops before impacts first accumulate. Here the lower ball stays on the floor from there on, until the
/// spring lifts it. When w times the time of a flight falls below 1e-6, impacts are taken as accumulated.

#include <picus/models/references/followed_motion.hpp>

#include <limits>
#include <vector>

namespace picus::models {

class BouncingOscillatorExact {
 public:
  struct Parameters {
    double mass;         ///< m of each ball, kg, > 0
    double stiffness;    ///< k, N/m, > 0
    double length;       ///< l of the spring without load, m
    double height;       ///< of the lower contact point over the floor at the start, m, > 0
    double restitution;  ///< e, in [0, 1]
    double gravity;      ///< g, m/s2, > 0
  };
  /// Of the motion up to `until`, s, which is followed as far as it is asked for. Whatever follows it throws Interrupted
  /// when a stop is requested. Not for two threads at once.
  BouncingOscillatorExact(const Parameters& parameters, double until, StopRequest stop_request = nullptr);

  /// Gap under the lower ball and height of the upper one, m, and their rates, m/s (right limits at an impact), for t in
  /// [0, until].
  double lower_position(double t) const { return motion(t).x; }
  double lower_velocity(double t) const { return motion(t).vx; }
  double upper_position(double t) const;
  double upper_velocity(double t) const;
  /// Of both balls, zero with both on the floor and the spring without load, J.
  double energy(double t) const;

  /// When the lower ball hits the floor, s: all up to `until`, however many these are, and the one after.
  const std::vector<double>& impact_times() const;
  /// The first of them, s.
  double first_impact() const;
  /// When impacts have first accumulated, s; infinite when that is not before `until`.
  double first_accumulation() const;

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  struct Motion {
    double x;   ///< gap, m
    double vx;  ///< m/s
    double r;   ///< extension, m
    double vr;  ///< m/s
  };
  /// A flight, or a time on the floor.
  struct Phase {
    double start;
    Motion motion;  ///< at the start
    bool on_floor;
  };
  struct Front {
    double time;  ///< start of the phase
    Phase phase;
    double impact = never;  ///< that this phase begins with
    double first_accumulation = never;
    bool has_ended = false;
  };

  Phase advance(Front& front) const;
  Motion motion(double t) const;
  Motion motion(const Phase& phase, double s) const;
  /// From the start of the phase, s; infinite when it does not end.
  double duration(const Phase& phase) const;
  double flight_time(const Motion& start) const;
  double time_on_floor(const Motion& start) const;

  Parameters p_;
  double w_;        ///< of the balls against each other, rad/s
  double w_floor_;  ///< of the upper ball over the lower one at rest, rad/s
  double until_;
  mutable FollowedMotion<Front, Phase> motion_;
  mutable std::vector<double> impact_times_;  ///< once asked for
};

}  // namespace picus::models
