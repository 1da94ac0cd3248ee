#include <picus/error.hpp>
#include <picus/models/references/amplification_exact.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>

namespace picus::models::exact {
namespace {

using Matrix = Eigen::Matrix2d;

/// The matrix Z of h y' = Z y, y = (q, h v).
Matrix oscillator(double W) {
  return (Matrix() << 0, 1, -W * W, 0).finished();
}

/// The rational function of Z with this numerator and denominator.
Matrix quotient(const Matrix& numerator, const Matrix& denominator) {
  return denominator.inverse() * numerator;
}

const Matrix one = Matrix::Identity();

}  // namespace

AlphaCoefficients optimal_alpha(double rho_inf) {
  const double alpha_m = (2 * rho_inf - 1) / (rho_inf + 1);
  const double alpha_f = rho_inf / (rho_inf + 1);
  const double dissipation = 1 - alpha_m + alpha_f;
  return {alpha_m, alpha_f, dissipation - 0.5, dissipation * dissipation / 4};
}

AlphaCoefficients hht(double alpha) {
  return {0.0, alpha, 0.5 + alpha, (1 + alpha) * (1 + alpha) / 4};
}

Eigen::Matrix3d alpha_matrix(const AlphaCoefficients& coefficients, double W) {
  const auto& [alpha_m, alpha_f, gamma, beta] = coefficients;
  const double end = (1 - alpha_f) * W * W;
  const double inertia = 1 - alpha_m + beta * end;
  const Eigen::RowVector3d a =
      -Eigen::RowVector3d(W * W, end, alpha_m + (0.5 - beta) * end) / inertia;  // h^2 a_{n+1}
  Eigen::Matrix3d matrix;
  matrix.row(0) = Eigen::RowVector3d(1, 1, 0.5 - beta) + beta * a;
  matrix.row(1) = Eigen::RowVector3d(0, 1, 1 - gamma) + gamma * a;
  matrix.row(2) = a;
  return matrix;
}

Eigen::Matrix2d theta_matrix(double theta, double W) {
  const Matrix Z = oscillator(W);
  return quotient(one + (1 - theta) * Z, one - theta * Z);
}

Eigen::Matrix2d midpoint_theta_matrix(double theta, double W) {
  const double before = (1 - theta) * W * W;
  const double after = theta * W * W;
  const Matrix implicit = (Matrix() << 1, -0.5, after, 1).finished();
  const Matrix given = (Matrix() << 1, 0.5, -before, 1).finished();
  return quotient(given, implicit);
}

Eigen::Matrix2d bathe_matrix(double W) {
  const Matrix Z = oscillator(W);
  return quotient(one + 5.0 / 12.0 * Z, (one - Z / 4) * (one - Z / 3));
}

Eigen::Matrix2d energy_decaying_matrix(double alpha, double rho_inf, double W) {
  const double beta = (1 - rho_inf) / (1 + rho_inf);
  const Matrix Z = oscillator(W);
  return quotient(one + (1 - alpha * beta) / 2 * Z + alpha * (1 - beta) / 4 * Z * Z,
                  one - (1 + alpha * beta) / 2 * Z + alpha * (1 + beta) / 4 * Z * Z);
}

Eigen::Matrix2d explicit_midpoint_matrix(double W) {
  const double square = W * W;
  return (Matrix() << 1 - square / 2, 1 - square / 4, -square, 1 - square / 2).finished();
}

Eigen::Matrix2d explicit_trapezoidal_matrix(double W) {
  const Matrix Z = oscillator(W);
  return one + Z + Z * Z / 2;
}

Eigen::Matrix2d two_step_matrix(double theta, double W) {
  const double square = W * W;
  const Eigen::RowVector2d d = Eigen::RowVector2d(-square, 1) / (1 + theta * square);
  Matrix matrix;
  matrix.row(0) = Eigen::RowVector2d(1, 0) + d;
  matrix.row(1) = d;
  return matrix;
}

std::optional<Eigen::MatrixXd> amplification_matrix(std::string_view scheme, double W) {
  const TextEntries options = make_integrator(scheme)->options();
  const auto option = [&](std::string_view key) -> const std::string& {
    const auto entry = std::ranges::find(options, key, &TextEntries::value_type::first);
    if (entry == options.end()) throw OptionError(fmt::format("scheme \"{}\" has no {}", scheme, key));
    return entry->second;
  };
  const auto number = [&](std::string_view key) { return read_real(key, option(key)); };
  const std::string_view name = scheme_name(scheme);
  if (name == "ds" || name == "dsn" || name == "ds-np" || name == "ds-a" || name == "cs" || name == "chen") {
    return alpha_matrix(optimal_alpha(number("rho_inf")), W);
  }
  if (name == "newmark-implicit" || name == "newmark") {
    return alpha_matrix({.gamma = number("gamma"), .beta = number("beta")}, W);
  }
  if (name == "hht") return alpha_matrix(hht(number("alpha")), W);
  if (name == "moreau-jean") {
    if (option("dissipates") == "yes") return midpoint_theta_matrix(number("theta"), W);
    return theta_matrix(number("theta"), W);
  }
  if (name == "schatzman-paoli") return two_step_matrix(number("theta"), W);
  if (name == "mixed") {
    const std::string& base = option("base");
    if (base == "bathe") return bathe_matrix(W);
    if (base == "ed-alpha") return energy_decaying_matrix(number("alpha"), number("rho_inf"), W);
    if (base == "moreau-midpoint") return explicit_midpoint_matrix(W);
    if (base == "half-explicit") return explicit_trapezoidal_matrix(W);
    return alpha_matrix(optimal_alpha(number("rho_inf")), W);
  }
  return {};
}

}  // namespace picus::models::exact
