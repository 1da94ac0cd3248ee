#pragma once

/// The motion of the chain of sliding masses (models/sliding_masses.hpp) along its line, event-driven. With the
/// displacements u_i,
///
///     m u_i'' = f_i - mu m g d_i,   f_i = k (u_{i+1} - u_i) - k (u_i - u_{i-1}) + F_i(t),
///
/// where d_i is 1 or -1 while mass i slips in that direction. A mass that stops sticks if |f_i| <= mu m g, and
/// otherwise slips in the direction of f_i; a sticking mass slips as soon as |f_i| > mu m g. Between these events and
/// the end of the force the motion is linear and integrated by Taylor series of order 14, to rounding. Units are such
/// that m, k and F are 1.

#include <picus/models/references/followed_motion.hpp>
#include <picus/models/references/piecewise_motion.hpp>
#include <picus/models/references/sliding_masses_parameters.hpp>

namespace picus::models {

class SlidingMassesExact {
 public:
  /// The motion up to `until`, s, which is computed only as far as it is queried. A query that has to compute further
  /// throws SolverError if events keep accumulating at one instant, and Interrupted if a stop is requested. Not for
  /// concurrent use.
  SlidingMassesExact(const SlidingMasses& parameters, double until, StopRequest stop_request = nullptr);

  /// Position in m and velocity in m/s of mass i.
  double position(Index i, double t) const {
    return spacing_ * i + length_unit_ * piece_at(t).position(i, t / time_unit_);
  }
  double velocity(Index i, double t) const {
    return length_unit_ / time_unit_ * piece_at(t).velocity(i, t / time_unit_);
  }
  /// Computes up to t.
  void follow(double t) const { piece_at(t); }
  /// Distance from the first mass to the last, m.
  double length(double t) const { return position(count_ - 1, t) - position(0, t); }

  /// When mass i first slips, and after which time none slips any more; infinite if not up to `until`.
  double first_slip(Index i) const;
  double rest_time() const;

 private:
  /// The state of the chain reached so far.
  struct Chain {
    double time;
    Vector u;
    Vector v;
    Eigen::VectorXi d;
    Vector first_slip;
    double rest_time;
    int events_at_once = 0;
    bool is_pushed = true;
    bool has_ended = false;
  };
  /// Coefficients of u and of the forces f, one row for each mass.
  void series(const Chain& chain, double load, Eigen::MatrixXd& u, Eigen::MatrixXd& f) const;
  MotionPiece advance(Chain& chain) const;
  /// The first event within s from here, if any: a slipping mass stops, or a sticking one can no longer be held.
  /// Returns the mass, or -1, and shortens s to the event.
  Index find_event(const Chain& chain, const MotionPiece& piece, const Eigen::MatrixXd& f, double& s) const;
  void handle_event(Chain& chain, Index i, double pull) const;
  const MotionPiece& piece_at(double t) const;

  Index count_;
  double spacing_;
  double time_unit_;    ///< sqrt(m/k), s
  double length_unit_;  ///< F/k, m
  double friction_;     ///< mu m g / F
  double load_;         ///< F while it acts, in units of F
  double push_end_;     ///< in units of time, like the rest
  double end_;
  mutable FollowedMotion<Chain, MotionPiece> motion_;
};

}  // namespace picus::models
