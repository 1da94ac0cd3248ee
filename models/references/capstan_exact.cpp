#include <picus/models/references/capstan_exact.hpp>

#include <cmath>

namespace picus::models {

double capstan_exponent(double mu, double drum_radius, double rope_radius) {
  const double r = drum_radius + rope_radius;
  const double a = mu * rope_radius / r;
  const double b = mu * drum_radius / r;
  // The root of a lambda^2 + lambda = b, without cancellation for small a.
  return 2 * b / (1 + std::sqrt(1 + 4 * a * b));
}

double capstan_exponent_of_chain(double mu, double angle) {
  return std::asinh(mu * std::sin(angle)) / angle;
}

}  // namespace picus::models
