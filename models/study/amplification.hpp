#pragma once

/// What a scheme makes of a linear oscillator, found from its own steps: a point mass on a spring, without damping,
///
///     d2q/dt2 + omega^2 q = 0,   T = 2 pi / omega = 1 s.
///
/// A run is a function of its State, and each step of this model is linear, z_{n+1} = A z_n. z holds those of
/// (q, v, State::acceleration, State::auxiliary) that a step makes anything of; column j of A is the outcome of one step from a unit z_j.
/// No difference quotient is taken, so that A is exact to rounding.

#include <picus/solvers/integrators/schemes.hpp>

#include <Eigen/Core>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// What the eigenvalues of an amplification matrix say.
struct Amplification {
  double spectral_radius;  ///< the largest modulus
  /// Numerical period over the exact one, minus 1, from the argument of the pair of complex eigenvalues of largest modulus (the
  /// principal pair); empty without such a pair: the motion does not oscillate.
  std::optional<double> period_error;
};

/// Of a square matrix that steps over `steps_per_period` = h / T.
Amplification amplification_of(const Eigen::MatrixXd& matrix, double h_over_period);

/// A of one step of the scheme, as text for make_integrator(), with a step size of h / T periods; balanced, that is, in
/// units that make rows and columns of like size. `steps` > 1 makes so many steps one after another instead, A^steps if z is all that a
/// scheme carries. Throws as make_integrator() does.
Eigen::MatrixXd amplification_matrix(std::string_view scheme, double h_over_period, int steps = 1);

/// The curves of a scheme over h / T, with those of its formula where one is known. NaN where there is no period.
struct Spectrum {
  std::vector<double> h_over_period;
  std::vector<double> spectral_radius, period_error;
  std::vector<double> exact_spectral_radius, exact_period_error;  ///< empty without a formula
};
Spectrum find_spectrum(std::string_view scheme, std::span<const double> h_over_period);

/// The matrix without the rows and columns of what it makes nothing of, in units, powers of two, in which no row is much larger than
/// its column. Its non-zero eigenvalues are the same.
Eigen::MatrixXd balanced(Eigen::MatrixXd matrix);

}  // namespace picus::models
