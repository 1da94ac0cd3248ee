#pragma once

namespace picus {

/// Coefficients of the generalized-alpha method (Chung and Hulbert; Galvez 2020, eq. 3.36), chosen by the
/// spectral radius at infinite frequency.
struct GeneralizedAlpha {
  double alpha_m, alpha_f, gamma, beta;

  static constexpr GeneralizedAlpha with_spectral_radius(double rho) {
    const double alpha_m = (2 * rho - 1) / (rho + 1);
    const double alpha_f = rho / (rho + 1);
    const double gamma = 0.5 + alpha_f - alpha_m;
    return {alpha_m, alpha_f, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)};
  }
};

}  // namespace picus
