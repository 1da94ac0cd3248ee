#include <picus/models/references/amplification_exact.hpp>
#include <picus/models/study/amplification.hpp>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

namespace picus::models {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using MatrixOf = std::function<Eigen::MatrixXd(double W)>;

double spectral_radius(const Eigen::MatrixXd& matrix) {
  return amplification_of(matrix, 1.0).spectral_radius;
}

MatrixOf alpha(const exact::AlphaCoefficients& coefficients) {
  return [=](double W) -> Eigen::MatrixXd { return exact::alpha_matrix(coefficients, W); };
}
MatrixOf theta(double theta) {
  return [=](double W) -> Eigen::MatrixXd { return exact::theta_matrix(theta, W); };
}
MatrixOf energy_decaying(double alpha, double rho) {
  return [=](double W) -> Eigen::MatrixXd { return exact::energy_decaying_matrix(alpha, rho, W); };
}

/// For the principal eigenvalue: its error relative to exp(i W) is proportional to W^(order + 1).
double order(const MatrixOf& matrix) {
  const auto error = [&](double W) {
    const Eigen::VectorXcd eigenvalues = matrix(W).eigenvalues();
    const std::complex<double> exact = std::polar(1.0, W);
    return (eigenvalues.array() - exact).abs().minCoeff();
  };
  return std::log2(error(0.04) / error(0.02)) - 1;
}

TEST(AmplificationExact, GeneralizedAlphaObeysItsDefinition) {
  for (const double W : {0.1, 2.0, 50.0}) {
    const auto c = exact::optimal_alpha(0.6);
    const Vector3d z(0.3, -0.7, 1.1);  // q, h v, h^2 a
    const Vector3d next = exact::alpha_matrix(c, W) * z;
    EXPECT_NEAR(next[0], z[0] + z[1] + (0.5 - c.beta) * z[2] + c.beta * next[2], 1e-14);
    EXPECT_NEAR(next[1], z[1] + (1 - c.gamma) * z[2] + c.gamma * next[2], 1e-14);
    EXPECT_NEAR((1 - c.alpha_m) * next[2] + c.alpha_m * z[2],
                -W * W * ((1 - c.alpha_f) * next[0] + c.alpha_f * z[0]), 1e-14 * W * W);
  }
}

/// h times the rate of y = (q, h v).
Vector2d rate(const Vector2d& y, double W) {
  return {y[1], -W * W * y[0]};
}

TEST(AmplificationExact, OneStepSchemesObeyTheirDefinitions) {
  const Vector2d y(0.8, -0.3);
  for (const double W : {0.1, 2.0, 50.0}) {
    const double rounding = 1e-14 * (W * W + 1 / (W * W));
    for (const double theta : {0.5, 0.8, 1.0}) {
      Vector2d next = exact::theta_matrix(theta, W) * y;
      EXPECT_LE((next - y - rate((1 - theta) * y + theta * next, W)).norm(), rounding);
      next = exact::midpoint_theta_matrix(theta, W) * y;
      EXPECT_NEAR(next[0] - y[0], (y[1] + next[1]) / 2, rounding);
      EXPECT_NEAR(next[1] - y[1], -W * W * ((1 - theta) * y[0] + theta * next[0]), rounding);
    }

    const Vector2d middle = exact::theta_matrix(0.5, W / 2) * Vector2d(y[0], y[1] / 2);  // (q, h/2 v)
    Vector2d next = exact::bathe_matrix(W) * y;
    const Vector2d backward =
        3 * next - 4 * Vector2d(middle[0], 2 * middle[1]) + y;  // h times the rate at the end
    EXPECT_LE((backward - rate(next, W)).norm(), rounding);

    for (const double theta : {0.0, 0.5, 1.0}) {
      next = exact::two_step_matrix(theta, W) * y;  // (q, d)
      EXPECT_NEAR(next[0], y[0] + next[1], rounding);
      EXPECT_NEAR(next[1] - y[1], -W * W * (y[0] + theta * next[1]), rounding);
    }

    // The jump stage follows from the second equation of the scheme, and must satisfy the first.
    const double rho = 0.3, a = 0.7, b = (1 - rho) / (1 + rho);
    next = exact::energy_decaying_matrix(a, rho, W) * y;
    const Vector2d sum = 2 * (next - y) - rate(next, W);  // h y'_j
    const Vector2d jump(-sum[1] / (W * W), sum[0]);
    EXPECT_LE((jump - y - a / 2 * ((1 - b) * rate(y, W) + b * sum - rate(next, W))).norm(), rounding);

    next = exact::explicit_midpoint_matrix(W) * y;
    EXPECT_NEAR(next[1] - y[1], -W * W * (y[0] + y[1] / 2), rounding);
    EXPECT_NEAR(next[0] - y[0], (y[1] + next[1]) / 2, rounding);
    const Vector2d predicted = y + rate(y, W);
    next = exact::explicit_trapezoidal_matrix(W) * y;
    EXPECT_LE((next - y - (rate(y, W) + rate(predicted, W)) / 2).norm(), rounding * W);
  }
}

TEST(AmplificationExact, HasTheOrdersOfTheory) {
  // Relative changes of the slope between W = 0.02 and 0.04 are of the order of W.
  for (const double rho : {0.0, 0.5, 0.8}) {
    EXPECT_NEAR(order(alpha(exact::optimal_alpha(rho))), 2, 0.05) << rho;
    EXPECT_NEAR(order(energy_decaying(1.0 / 3.0, rho)), 3, 0.05) << rho;
    EXPECT_NEAR(order(energy_decaying(1.0, rho)), 2, 0.05) << rho;
  }
  EXPECT_NEAR(order(alpha(exact::hht(0.2))), 2, 0.05);
  EXPECT_NEAR(order(alpha({})), 2, 0.05);
  EXPECT_NEAR(order(alpha({.gamma = 1, .beta = 0.5625})), 1, 0.05);
  EXPECT_NEAR(order(theta(0.5)), 2, 0.05);
  EXPECT_NEAR(order(theta(0.7)), 1, 0.05);
  EXPECT_NEAR(order(exact::bathe_matrix), 2, 0.05);
  EXPECT_NEAR(order(exact::explicit_midpoint_matrix), 2, 0.05);
  EXPECT_NEAR(order(exact::explicit_trapezoidal_matrix), 2, 0.05);
}

TEST(AmplificationExact, TheSpectralRadiusFallsToTheOneAskedFor) {
  // Three eigenvalues merge at infinity, so that the radius differs from its limit by a cube root of 1/W^2, and of
  // rounding.
  for (const double rho : {0.0, 0.3, 0.8, 1.0}) {
    EXPECT_NEAR(spectral_radius(exact::alpha_matrix(exact::optimal_alpha(rho), 1e5)), rho, 2e-3) << rho;
    EXPECT_NEAR(spectral_radius(exact::energy_decaying_matrix(1.0 / 3.0, rho, 1e5)), rho, 1e-4) << rho;
  }
  const double hht = 0.25;
  EXPECT_NEAR(spectral_radius(exact::alpha_matrix(exact::hht(hht), 1e5)), (1 - hht) / (1 + hht), 2e-3);
  EXPECT_NEAR(spectral_radius(exact::theta_matrix(0.8, 1e5)), 0.2 / 0.8, 1e-4);
  EXPECT_NEAR(spectral_radius(exact::bathe_matrix(1e5)), 0, 1e-4);
}

TEST(AmplificationExact, ImplicitSchemesAreStableAndConservativeOnesConserve) {
  for (double W = 1e-3; W < 1e5; W *= 1.7) {
    // Merging eigenvalues amplify rounding of 1e-16 to 1e-5.
    for (const double rho : {0.0, 0.4, 0.8, 1.0}) {
      EXPECT_LE(spectral_radius(exact::alpha_matrix(exact::optimal_alpha(rho), W)), 1 + 1e-5) << W;
      EXPECT_LE(spectral_radius(exact::energy_decaying_matrix(1.0 / 3.0, rho, W)), 1 + 1e-12) << W;
    }
    for (const double a : {0.1, 1.0 / 3.0})
      EXPECT_LE(spectral_radius(exact::alpha_matrix(exact::hht(a), W)), 1 + 1e-5);
    EXPECT_LE(spectral_radius(exact::bathe_matrix(W)), 1 + 1e-12) << W;
    EXPECT_LE(spectral_radius(exact::midpoint_theta_matrix(0.7, W)), 1 + 1e-12) << W;
    EXPECT_LE(spectral_radius(exact::theta_matrix(0.7, W)), 1 + 1e-12) << W;
    for (const auto& matrix :
         {exact::theta_matrix(0.5, W), exact::energy_decaying_matrix(1.0 / 3.0, 1.0, W)}) {
      EXPECT_NEAR(spectral_radius(matrix), 1, 1e-12) << W;
    }
  }
}

TEST(AmplificationExact, TheCentralDifferenceSchemeIsStableUpToTwo) {
  EXPECT_NEAR(spectral_radius(exact::explicit_midpoint_matrix(1.99)), 1, 1e-14);
  EXPECT_GT(spectral_radius(exact::explicit_midpoint_matrix(2.01)), 1.1);
  // Heun grows at any step: |1 + i W - W^2/2|^2 = 1 + W^4/4.
  EXPECT_NEAR(spectral_radius(exact::explicit_trapezoidal_matrix(0.5)), std::sqrt(1 + std::pow(0.5, 4) / 4),
              1e-15);
}

TEST(AmplificationExact, TheTwoStepSchemeDampsByItsWeight) {
  // The determinant is 1 / (1 + theta W^2), the square of the modulus of a complex pair.
  for (const double theta : {0.0, 0.5, 1.0}) {
    const double W = 0.3;
    EXPECT_NEAR(spectral_radius(exact::two_step_matrix(theta, W)), 1 / std::sqrt(1 + theta * W * W), 1e-15);
  }
  EXPECT_GT(spectral_radius(exact::two_step_matrix(0, 2.01)), 1.1);
}

TEST(AmplificationExact, PeriodsHaveTheErrorsOfTextbooks) {
  // Trapezoidal rule: tan(angle / 2) = W / 2; its period is longer by W^2 / 12. Central differences: sin(angle / 2) = W / 2.
  const double ratio = 0.1;
  const double W = 2 * std::numbers::pi * ratio;
  const auto error = [&](const Eigen::MatrixXd& matrix) {
    return amplification_of(matrix, ratio).period_error.value();
  };
  EXPECT_NEAR(error(exact::theta_matrix(0.5, W)), W / (2 * std::atan(W / 2)) - 1, 1e-14);
  EXPECT_NEAR(error(exact::explicit_midpoint_matrix(W)), W / (2 * std::asin(W / 2)) - 1, 1e-14);
  EXPECT_FALSE(amplification_of(exact::explicit_midpoint_matrix(3.0), ratio).period_error);
}

}  // namespace
}  // namespace picus::models
