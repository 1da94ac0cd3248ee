#include <picus/models/references/impacting_bar_exact.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models {

ImpactingBarExact::ImpactingBarExact(const ImpactingBarParameters& bar)
    : bar_(bar), wave_speed_(std::sqrt(bar.youngs_modulus / bar.density)), closes_at_(bar.gap / bar.speed) {}

double ImpactingBarExact::stops_at(double X) const {
  return closes_at_ + X / wave_speed_;
}

double ImpactingBarExact::rebounds_at(double X) const {
  return closes_at_ + (2.0 * bar_.length - X) / wave_speed_;
}

double ImpactingBarExact::opens_at() const {
  return rebounds_at(0.0);
}

double ImpactingBarExact::position(double X, double t) const {
  const double forth = std::min(t, stops_at(X));
  const double back = std::max(t - rebounds_at(X), 0.0);
  return X + bar_.gap + bar_.speed * (back - forth);
}

double ImpactingBarExact::velocity(double X, double t) const {
  if (t < stops_at(X)) return -bar_.speed;
  return t < rebounds_at(X) ? 0.0 : bar_.speed;
}

double ImpactingBarExact::strain(double X, double t) const {
  const bool is_compressed = t >= stops_at(X) && t < rebounds_at(X);
  return is_compressed ? -bar_.speed / wave_speed_ : 0.0;
}

double ImpactingBarExact::impact_force() const {
  return bar_.density * wave_speed_ * bar_.speed * bar_.area;
}

double ImpactingBarExact::contact_force(double t) const {
  return t >= closes_at_ && t < opens_at() ? impact_force() : 0.0;
}

double ImpactingBarExact::stopped_length(double t) const {
  const double run = wave_speed_ * (t - closes_at_);
  return std::clamp(std::min(run, 2.0 * bar_.length - run), 0.0, bar_.length);
}

double ImpactingBarExact::kinetic_energy(double t) const {
  const double moving = bar_.length - stopped_length(t);
  return 0.5 * bar_.density * bar_.area * moving * bar_.speed * bar_.speed;
}

double ImpactingBarExact::strain_energy(double t) const {
  const double compression = bar_.speed / wave_speed_;
  return 0.5 * bar_.youngs_modulus * bar_.area * stopped_length(t) * compression * compression;
}

}  // namespace picus::models
