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
/// v is the velocity at t_n to second order, and (d - d_n)/h^2 the acceleration there. Constraints are perfect: of
/// contacts the normal rows count only, each with its own restitution e_c. Unknown d and the multipliers, which are
/// impulses times h.
class SchatzmanPaoliProblem : public Stage {
 public:
  SchatzmanPaoliProblem(StepData& data, double theta);

  /// From d = d_n, the bilateral multipliers `mu` and the contact multipliers that are set. `acceleration_n` tells how
  /// fast a motion from rest may be.
  void begin(const Vector& increment_n, const Vector& acceleration_n, const Vector& mu);

  /// (d + d_n)/(2 h); of driven components the rate at t_{n+1}.
  void velocity(Vector& v) const;
  /// (d - d_n)/h^2, impacts and constraints included.
  auto acceleration() const { return (increment() - increment_n_) / (data_->h * data_->h); }

 private:
  /// Contacts of one restitution share the configuration at which their gaps are taken.
  struct Meeting {
    double e;
    StagePoint point;
    Vector constant;  ///< of its increment
  };

  double theta_;
  std::vector<std::unique_ptr<Meeting>> meetings_;
  std::vector<ContactPoint> contact_points_;  ///< one for each of them
  Vector increment_n_, w_0_, v_0_, z_start_;
  Vector buffer_;
  Vector driven_rate_, driven_acceleration_;
};

}  // namespace picus::solvers
