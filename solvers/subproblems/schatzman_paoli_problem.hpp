#pragma once

#include <picus/solvers/subproblems/stage.hpp>

#include <memory>
#include <vector>

namespace picus::solvers {

/// One step of the scheme of Schatzman and Paoli (Acary's slides, eqs. 28 and 29) in increments d = d_{n+1} and d_n of
/// two successive steps, q = q_n o exp(d) and q_{n-1} = q_n o exp(-d_n):
///
///     M (d - d_n) - h^2 f(q_theta, v, t_theta) - G(q_theta)^T mu - sum G_c(q_c)^T P_c = 0,   M at q_theta
///     g(q, t_{n+1}) = 0,      0 <= gap_c(q_c)  _|_  P_c >= 0
///
///     q_theta = q_n o exp(theta d),   v = (d + d_n)/(2 h),   q_c = q_n o exp((d - e_c d_n)/(1 + e_c))
///
/// v is the velocity at t_n to second order, and (d - d_n)/h^2 the acceleration there. Constraints are perfect: only
/// the normal rows of contacts are used, each with its own restitution e_c. The unknowns are d and the multipliers,
/// which are impulses times h.
class SchatzmanPaoliProblem : public Stage {
 public:
  SchatzmanPaoliProblem(StepData& data, double theta);

  /// Starts from d = d_n, the bilateral multipliers `mu` and the contact multipliers set before. `acceleration_n` gives
  /// the scale of speeds for a motion from rest.
  void begin(const Vector& increment_n, const Vector& acceleration_n, const Vector& mu);

  /// (d + d_n)/(2 h); for driven components the rate at t_{n+1}.
  void velocity(Vector& v) const;
  /// (d - d_n)/h^2, including impacts and constraints.
  auto acceleration() const { return (increment() - increment_n_) / (data_->h * data_->h); }

 private:
  /// Contacts with equal restitution share the configuration at which their gaps are evaluated.
  struct GapPoint {
    double e;
    StagePoint point;
    Vector constant;  ///< constant part of its increment
  };

  double theta_;
  std::vector<std::unique_ptr<GapPoint>> gap_points_;
  std::vector<ContactPoint> contact_points_;  ///< one for each entry of gap_points_
  Vector increment_n_, w_0_, v_0_, z_start_;
  Vector buffer_;
  Vector driven_rate_, driven_acceleration_;
};

}  // namespace picus::solvers
