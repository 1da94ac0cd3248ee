#pragma once

/// Amplification matrices of the schemes for d2q/dt2 + omega^2 q = 0, in closed form. With W = omega h and Z the
/// matrix of the oscillator, each advances z = (q, h v), or (q, h v, h^2 a) with the auxiliary acceleration a, by one
/// step.

#include <Eigen/Core>

#include <optional>
#include <string_view>

namespace picus::models::exact {

/// Coefficients of Newmark's formulas with (1 - alpha_m) a_{n+1} + alpha_m
/// a_n = -omega^2 ((1 - alpha_f) q_{n+1} + alpha_f q_n): generalized-alpha (Chung and Hulbert 1993; Rezaei and
/// Schindler, eqs. 94 to 96), HHT (alpha_m = 0, alpha_f = alpha), Newmark (both zero).
struct AlphaCoefficients {
  double alpha_m = 0.0, alpha_f = 0.0, gamma = 0.5, beta = 0.25;
};
/// The choice of Chung and Hulbert, eqs. 98 and 104; rho_inf in [0, 1].
AlphaCoefficients optimal_alpha(double rho_inf);
/// gamma = 1/2 + alpha, beta = (1 + alpha)^2 / 4; alpha in [0, 1/3].
AlphaCoefficients hht(double alpha);
/// 3 x 3. One eigenvalue is zero if alpha_m = alpha_f = 0, since the step then does not depend on a.
Eigen::Matrix3d alpha_matrix(const AlphaCoefficients& coefficients, double W);

/// y' = Z y, discretised by y_{n+1} = y_n + h ((1 - theta) y'_n + theta y'_{n+1}).
Eigen::Matrix2d theta_matrix(double theta, double W);
/// The same for v, with q by the trapezoidal rule: Acary's variant of the Moreau-Jean scheme (66).
Eigen::Matrix2d midpoint_theta_matrix(double theta, double W);
/// Half a step with the trapezoidal rule, then the three-point backward Euler method (Rezaei and Schindler, appendix
/// B).
Eigen::Matrix2d bathe_matrix(double W);
/// The two-stage energy-decaying scheme (Rezaei and Schindler, section 2.7; Bottasso and Borri),
/// beta = (1 - rho_inf)/(1 + rho_inf):
///     y = y_n + h/2 (y'_j + y'),   y_j = y_n + alpha h/2 ((1 - beta) y'_n + beta y'_j - y')
Eigen::Matrix2d energy_decaying_matrix(double alpha, double rho_inf, double W);
/// v = v_n - h omega^2 (q_n + h/2 v_n), q = q_n + h/2 (v_n + v).
Eigen::Matrix2d explicit_midpoint_matrix(double W);
/// The explicit trapezoidal rule (Heun).
Eigen::Matrix2d explicit_trapezoidal_matrix(double W);

/// For (q, d) with the last increment d = q_n - q_{n-1}: (d_{n+1} - d_n) + W^2 (q_n + theta d_{n+1}) = 0, the scheme
/// of Schatzman and Paoli.
Eigen::Matrix2d two_step_matrix(double theta, double W);

/// The matrix of a scheme, given as text for make_integrator(); empty for a scheme without a formula here. Throws as
/// make_integrator() does.
std::optional<Eigen::MatrixXd> amplification_matrix(std::string_view scheme, double W);

}  // namespace picus::models::exact
