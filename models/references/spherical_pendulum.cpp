#include <picus/models/references/spherical_pendulum.hpp>

#include <cmath>

namespace picus::models {

SphericalPendulum::SphericalPendulum(double kappa, double angular_velocity)
    : kappa_(kappa), angular_velocity_(angular_velocity) {
  // 2 kappa (1 - w^2) = W_0^2 w, solved without cancellation.
  const double b = angular_velocity * angular_velocity / (4.0 * kappa);
  lowest_ = 1.0 / (b + std::hypot(b, 1.0));
}

double SphericalPendulum::time_at(double depth) const {
  // Simpson's rule. The substitution s = sqrt(lowest) sin a removes the singularity at the lowest position.
  constexpr int intervals = 2000;
  const double top = std::sqrt(lowest_);
  const double end = std::asin(std::sqrt(depth) / top);
  const double W2 = angular_velocity_ * angular_velocity_;
  // 2 kappa (1 - s^4) - W_0^2 s^2 = (lowest - s^2) (2 kappa (lowest + s^2) + W_0^2), because it is zero at
  // s^2 = lowest; the first factor is lowest cos^2 a.
  const auto integrand = [&](double a) {
    const double s = top * std::sin(a);
    return 2.0 / std::sqrt(2.0 * kappa_ * (lowest_ + s * s) + W2);
  };
  const double width = end / intervals;
  double sum = integrand(0.0) + integrand(end);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * integrand(i * width);
  return sum * width / 3.0;
}

}  // namespace picus::models
