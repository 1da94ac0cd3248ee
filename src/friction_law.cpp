#include <picus/checks.hpp>
#include <picus/error.hpp>
#include <picus/friction_law.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus {
namespace {

class Stribeck : public FrictionLaw {
 public:
  explicit Stribeck(const StribeckParameters& parameters) : p_(parameters) {}

  Value at(double speed) const override {
    const double x = speed / p_.speed;
    const double power = std::pow(x, p_.exponent);
    const double rest = (p_.mu_at_rest - p_.mu_sliding) * std::exp(-power);
    const double power_slope = p_.exponent / p_.speed * std::pow(x, p_.exponent - 1);
    return {.mu = p_.mu_sliding + rest + p_.viscosity * speed, .slope = p_.viscosity - rest * power_slope};
  }

 private:
  StribeckParameters p_;
};

}  // namespace

double Friction::fingerprint() const {
  double sum = at_rest_;
  for (double speed = 1e-4; law_ && speed < 20; speed *= 10) sum += speed * law_->at(speed).mu;
  return sum;
}

std::shared_ptr<const FrictionLaw> stribeck(const StribeckParameters& parameters) {
  const Culprit who{"friction law", "stribeck"};
  require_not_negative(who, "mu_at_rest", parameters.mu_at_rest, "");
  require_not_negative(who, "mu_sliding", parameters.mu_sliding, "");
  require_positive(who, "speed", parameters.speed, "m/s");
  require_not_negative(who, "viscosity", parameters.viscosity, "s/m");
  if (!(parameters.exponent >= 1) || !std::isfinite(parameters.exponent))
    throw ModelError(fmt::format("{}: exponent is {}, must be >= 1", who.text(), parameters.exponent));
  return std::make_shared<Stribeck>(parameters);
}

}  // namespace picus
