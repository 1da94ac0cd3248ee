#pragma once

/// The exact motion of a rigid pendulum that falls from rest at the horizontal, hits a vertical wall before it
/// reaches the bottom, and bounces with Newton's coefficient of restitution e until it rests against the wall.
///
///     phi'' = -w^2 sin(phi),  w^2 = m g l / (m l^2 + J),  phi from the downward vertical, tip at x = l sin(phi)
///
/// Between impacts, with s the time from the highest point of the swing, phi_0, and k = sin(phi_0 / 2),
/// k' = sqrt(1 - k^2):
///
///     sin(phi/2) = k cd(w s; k),   phi' = -2 k k' w sd(w s; k)
///
/// (Jacobi's elliptic functions cd = cn/dn, sd = sn/dn; e.g. Lawden, Elliptic Functions and Applications, section 5.1).
/// The n-th impact leaves phi' = e^n |phi'_1|, and with tan(psi) = e^n |phi'_1| / (2 w k' sin(phi_wall / 2)) the swing
/// after it takes 2 F(psi, k) / w.

#include <picus/models/references/followed_motion.hpp>

#include <vector>

namespace picus::models {

class ImpactingPendulumExact {
 public:
  struct Parameters {
    double mass;         ///< m at the tip, kg, > 0
    double inertia;      ///< J about the tip, kg m2, >= 0
    double length;       ///< l, m, > 0
    double gravity;      ///< g, m/s2, > 0
    double wall;         ///< x of the wall, m, in [0, l)
    double restitution;  ///< e, in [0, 1]
  };
  /// The motion up to `until`, s, which is computed only as far as it is queried. A query that has to compute further
  /// throws Interrupted if a stop is requested. Not for concurrent use.
  ImpactingPendulumExact(const Parameters& parameters, double until, StopRequest stop_request = nullptr);

  /// phi, rad, and its rate, rad/s (right limit at an impact), for t in [0, until].
  double angle(double t) const;
  double angle_rate(double t) const;
  /// Position and velocity of the tip, m and m/s.
  double x(double t) const;
  double x_rate(double t) const;
  /// Kinetic and potential energy, zero at rest at the bottom, J.
  double energy(double t) const;

  /// All impacts up to `until`, s, however many these are, and the next one.
  const std::vector<double>& impact_times() const;
  /// The first impact time, s.
  double first_impact() const;

 private:
  struct Swing {
    double start;        ///< s
    double highest;      ///< time of its (possibly virtual) highest point, s
    double modulus;      ///< k
    bool rests = false;  ///< whether it rests against the wall from the start of the piece on
  };
  struct Front {
    double time = 0.0;     ///< s, an impact except at the start
    double rate = 0.0;     ///< after it, rad/s
    bool is_first = true;  ///< whether the swing that follows is the first fall
    bool has_ended = false;
  };
  Swing advance(Front& front) const;
  /// Time from the wall to the highest point of a swing that leaves it with this rate, s.
  double rise(double rate, double modulus) const;
  const Swing& find_swing(double t) const;

  Parameters p_;
  double w_;           ///< rad/s
  double half_sine_;   ///< sin(phi_wall / 2)
  double first_rate_;  ///< rate at the end of the first fall, rad/s
  double until_;
  mutable FollowedMotion<Front, Swing> motion_;
  mutable std::vector<double> impact_times_;  ///< filled on request
};

/// Jacobi's elliptic functions of modulus k in [0, 1).
struct JacobiElliptic {
  double sn, cn, dn;
};
JacobiElliptic jacobi_elliptic(double u, double k);

}  // namespace picus::models
