#pragma once

/// The exact motion of a ball that falls from rest onto a rigid floor and bounces with Newton's coefficient of
/// restitution e (Chen and others 2013, appendix A):
///
///     t_n = t_1 (1 + 2 e (1 - e^(n-1)) / (1 - e)),  t_1 = sqrt(2 h_0 / g),  w_1 = sqrt(2 g h_0),
///     x(t) = e^n w_1 (t - t_n) - g (t - t_n)^2 / 2   for t in [t_n, t_{n+1}),
///
/// where t_n is the n-th impact; before the first one the ball falls freely. For e < 1 the impacts accumulate at
/// t_1 (1 + e) / (1 - e), and the ball is at rest from then on.

namespace picus::models {

class BouncingBallExact {
 public:
  /// Initial height h_0 of the contact point above the floor in m, > 0; g in m/s2, > 0; e in [0, 1].
  BouncingBallExact(double height, double restitution, double gravity);

  /// Height above the floor, m, and its rate, m/s (right limit at an impact), at t >= 0.
  double position(double t) const;
  double velocity(double t) const;

  /// t_n, s, the time of the n-th impact, n >= 1.
  double impact_time(int n) const;
  /// Accumulation time of the impacts, s; infinite for e = 1.
  double accumulation_time() const;

 private:
  /// A flight: it begins at `start` with velocity `speed`.
  struct Flight {
    double start;
    double speed;
  };
  /// Valid for first_fall_ <= t < accumulation_time().
  Flight find_flight(double t) const;

  double height_;
  double restitution_;
  double gravity_;
  double first_fall_;    ///< t_1
  double impact_speed_;  ///< w_1
};

}  // namespace picus::models
