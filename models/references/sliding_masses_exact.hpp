#pragma once

/// The motion of the chain of sliding masses (models/sliding_masses.hpp) along its line, integrated from event to
/// event. With the displacements u_i,
///
///     m u_i'' = f_i - mu m g d_i,   f_i = k (u_{i+1} - u_i) - k (u_i - u_{i-1}) + F_i(t),
///
/// where d_i is 1 or -1 while mass i slips that way. A mass that stops sticks if |f_i| <= mu m g, and slips as f_i pulls
/// otherwise; one that sticks slips as soon as |f_i| > mu m g. Between these events and the end of the force the motion
/// is linear and integrated by Taylor series of order 14: to rounding. All this happens in units in which m, k and F
/// are 1.

#include <picus/models/references/followed_motion.hpp>
#include <picus/models/references/piecewise_motion.hpp>
#include <picus/models/references/sliding_masses_parameters.hpp>

namespace picus::models {

class SlidingMassesExact {
 public:
  /// Of the motion up to `until` in s, which is followed as far as it is asked for. Whatever follows it throws SolverError
  /// if ever more events fall on one instant, and Interrupted when a stop is requested. Not for two threads at once.
  SlidingMassesExact(const SlidingMasses& parameters, double until, StopRequest stop_request = nullptr);

  /// Of mass i: position in m, and velocity in m/s.
  double position(Index i, double t) const {
    return spacing_ * i + length_unit_ * piece_at(t).position(i, t / time_unit_);
  }
  double velocity(Index i, double t) const {
    return length_unit_ / time_unit_ * piece_at(t).velocity(i, t / time_unit_);
  }
  /// Goes as far as t.
  void follow(double t) const { piece_at(t); }
  /// From the first mass to the last, m.
  double length(double t) const { return position(count_ - 1, t) - position(0, t); }

  /// When mass i first slips, and from when on none slips any more; infinite if not up to `until`.
  double first_slip(Index i) const;
  double rest_time() const;

 private:
  /// The chain where following has come to.
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
  /// Coefficients of u, and of the forces f, a row for each mass.
  void series(const Chain& chain, double load, Eigen::MatrixXd& u, Eigen::MatrixXd& f) const;
  MotionPiece advance(Chain& chain) const;
  /// The first event within s from here, if any: a mass that slips stops, or one that sticks can be held no longer.
  /// Returns which, or -1, and shortens s to it.
  Index find_event(const Chain& chain, const MotionPiece& piece, const Eigen::MatrixXd& f, double& s) const;
  void handle_event(Chain& chain, Index i, double pull) const;
  const MotionPiece& piece_at(double t) const;

  Index count_;
  double spacing_;
  double time_unit_;    ///< sqrt(m/k), s
  double length_unit_;  ///< F/k, m
  double friction_;     ///< mu m g / F
  double load_;         ///< F as long as it pushes, in units of F
  double push_end_;     ///< in units of time, as is
  double end_;
  mutable FollowedMotion<Chain, MotionPiece> motion_;
};

}  // namespace picus::models
