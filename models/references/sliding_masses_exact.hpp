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

#include <picus/models/references/piecewise_motion.hpp>
#include <picus/models/sliding_masses.hpp>

#include <vector>

namespace picus::models {

class SlidingMassesExact {
 public:
  /// Follows the motion up to `until` in s. Throws SolverError if ever more events fall on one instant.
  SlidingMassesExact(const SlidingMasses& parameters, double until);

  /// Of mass i: position in m, and velocity in m/s.
  double position(Index i, double t) const {
    return spacing_ * i + length_unit_ * motion_.position(i, t / time_unit_);
  }
  double velocity(Index i, double t) const {
    return length_unit_ / time_unit_ * motion_.velocity(i, t / time_unit_);
  }
  /// From the first mass to the last, m.
  double length(double t) const { return position(count_ - 1, t) - position(0, t); }

  /// When mass i first slips, and from when on none slips any more; infinite if not up to `until`.
  double first_slip(Index i) const { return time_unit_ * first_slip_[static_cast<std::size_t>(i)]; }
  double rest_time() const { return time_unit_ * rest_time_; }

 private:
  struct Chain {
    double t;
    Vector u;
    Vector v;
    Eigen::VectorXi d;
  };
  /// Coefficients of u, and of the forces f, a row for each mass.
  void series(const Chain& chain, double load, Eigen::MatrixXd& u, Eigen::MatrixXd& f) const;
  /// Integrates until `end`, with a constant load on the first mass.
  void follow(Chain& chain, double load, double end);

  Index count_;
  double spacing_;
  double time_unit_;    ///< sqrt(m/k), s
  double length_unit_;  ///< F/k, m
  double friction_;     ///< mu m g / F
  PiecewiseMotion motion_;
  std::vector<double> first_slip_;
  double rest_time_;
};

}  // namespace picus::models
