#pragma once

#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

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
class SchatzmanPaoliProblem : public Subproblem {
 public:
  SchatzmanPaoliProblem(StepData& data, double theta);

  std::string_view name() const override { return "position-level"; }

  /// From d = d_n, the bilateral multipliers `mu` and the contact multipliers that are set. `acceleration_n` tells how
  /// fast a motion from rest may be.
  void begin(const Vector& increment_n, const Vector& acceleration_n, const Vector& mu);

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;
  void contact_response(const Vector& dx, Vector& response) override;

  /// (d + d_n)/(2 h); of driven components the rate at t_{n+1}.
  void velocity(Vector& v) const;
  /// (d - d_n)/h^2, impacts and constraints included.
  auto acceleration() const { return (data_->dq - increment_n_) / (data_->h * data_->h); }
  /// The momentum rows in natural layout: those of prescribed components hold their reactions times h^2.
  const Vector& momentum_residual() const { return residual_; }

 private:
  /// Contacts of one restitution share the configuration at which their gaps are taken.
  struct Meeting {
    double e;
    Vector increment;
    Configuration q;
    Chart chart;
    Vector P;  ///< multipliers of these contacts, 0 of all others
    std::vector<std::size_t> contacts;
  };

  double theta_;
  std::vector<Meeting> meetings_;
  Vector increment_n_;
  Vector increment_theta_, v_;
  Chart chart_theta_;
  Gradients G_theta_;
  Vector violation_;
  Vector driven_rate_, driven_acceleration_;
};

}  // namespace picus
