#pragma once

#include <picus/solvers/subproblems/implicit_stage.hpp>
#include <picus/time_integrator.hpp>

namespace picus {

/// Coefficients of the generalized-alpha method (Chung and Hulbert),
///
///     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vd_{n+1} + alpha_f vd_n
///
/// with gamma and beta of Newmark's formulas for a.
struct GeneralizedAlpha {
  double alpha_m;  ///< weight of a_n
  double alpha_f;  ///< weight of vd_n
  double gamma;    ///< for velocities, v_{n+1} = v_n + h (1 - gamma) a_n + h gamma a_{n+1}
  double beta;     ///< for displacements, dq = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1}

  /// Coefficients for a spectral radius at infinite frequency (Galvez 2020, eq. 3.36).
  static constexpr GeneralizedAlpha with_spectral_radius(double rho) {
    const double alpha_m = (2 * rho - 1) / (rho + 1);
    const double alpha_f = rho / (rho + 1);
    const double gamma = 0.5 + alpha_f - alpha_m;
    return {alpha_m, alpha_f, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)};
  }
  /// dv_{n+1}/dvd_{n+1} in a step of size h, s.
  constexpr double force_rate(double h) const { return h * gamma * (1 - alpha_f) / (1 - alpha_m); }
  /// Quadrature over a step of size h, with forces at its end.
  StepForces step_forces(double h) const {
    StepForces forces;
    forces.h = h;
    forces.alpha_m = alpha_m;
    forces.alpha_f = alpha_f;
    forces.last = h * (1 - gamma);
    forces.next = h * gamma;
    return forces;
  }
  /// Newmark's method: alpha_m = alpha_f = 0.
  static constexpr GeneralizedAlpha newmark(double gamma, double beta) { return {0, 0, gamma, beta}; }
  /// A first-order method that dissipates high frequencies and uses no acceleration of t_n: for steps at events, after
  /// which these are not the accelerations of the motion.
  static constexpr GeneralizedAlpha without_memory() { return {0, 0, 1, 0.5}; }
  /// Method of Hilber, Hughes and Taylor; alpha in [0, 1/3] is the weight of the forces at t_n (Acary's slides, eq. 81;
  /// in eq. 38 this number is -alpha). Spectral radius at infinite frequency (1 - alpha)/(1 + alpha).
  static constexpr GeneralizedAlpha hht(double alpha) {
    return {0, alpha, 0.5 + alpha, 0.25 * (1 + alpha) * (1 + alpha)};
  }
};

/// Sets the formulas of a step of size h from v_n, the acceleration vd_n and the auxiliary acceleration a_n.
void predict_motion(const GeneralizedAlpha& alpha, double h, const Vector& v_n, const Vector& acceleration_n,
                    const Vector& auxiliary_n, StageFormulas& formulas);
/// Advances `auxiliary` from a_n to a_{n+1}.
void advance_auxiliary(const GeneralizedAlpha& alpha, const Vector& acceleration_n,
                       const Vector& acceleration, Vector& auxiliary);

}  // namespace picus
