#pragma once

/// The response of a scheme to a linear oscillator, computed from its own steps: a point mass on a spring, without
/// damping,
///
///     d2q/dt2 + omega^2 q = 0,   T = 2 pi / omega = 1 s.
///
/// A run is a function of its State, and each step of this model is linear, z_{n+1} = A z_n. z holds those components
/// of (q, v, State::acceleration, State::auxiliary) on which a step depends; column j of A is the result of one step
/// from a unit z_j. No difference quotient is taken, so A is exact to rounding.

#include <picus/solvers/integrators/schemes.hpp>

#include <Eigen/Core>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// Properties derived from the eigenvalues of an amplification matrix.
struct Amplification {
  double spectral_radius;  ///< the largest modulus
  /// Numerical period divided by the exact one, minus 1, from the argument of the complex pair of eigenvalues of
  /// largest modulus (the principal pair); empty without such a pair: the motion does not oscillate.
  std::optional<double> period_error;
};

/// For a square amplification matrix of a step h with `h_over_period` = h / T.
Amplification amplification_of(const Eigen::MatrixXd& matrix, double h_over_period);

/// A of one step of the scheme, given as text for make_integrator(), with a step size of h / T periods; balanced,
/// that is, in units that give rows and columns of similar magnitude. For `steps` > 1 this many consecutive steps
/// instead, A^steps if z is all that the scheme carries over. Throws as make_integrator() does.
Eigen::MatrixXd amplification_matrix(std::string_view scheme, double h_over_period, int steps = 1);

/// The curves of a scheme over h / T, with those of its formula if one is known. NaN where there is no period.
struct Spectrum {
  std::vector<double> h_over_period;
  std::vector<double> spectral_radius, period_error;
  std::vector<double> exact_spectral_radius, exact_period_error;  ///< empty without a formula
};
Spectrum find_spectrum(std::string_view scheme, std::span<const double> h_over_period);

/// The matrix without the rows and columns that do not matter, in units, powers of two, in which no row is much
/// larger than its column. Its nonzero eigenvalues are the same.
Eigen::MatrixXd balanced(Eigen::MatrixXd matrix);

}  // namespace picus::models
