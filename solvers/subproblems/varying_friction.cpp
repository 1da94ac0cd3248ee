#include <picus/solvers/subproblems/varying_friction.hpp>

#include <array>
#include <cmath>

namespace picus {

VaryingFriction::VaryingFriction(const System& system, std::size_t count) : system_(&system) {
  for (std::size_t c = 0; c < count; ++c) {
    if (law(c).friction) contacts_.push_back(c);
  }
}

void VaryingFriction::begin(const Vector& rate_n, std::span<ContactCone> cones) const {
  for (const std::size_t c : contacts_) {
    cones[c].mu = law(c).mu_at(rate_n.segment(cones[c].first_row + 1, law(c).friction_directions).norm());
    cones[c].mu_gradient = {};
  }
}

void VaryingFriction::evaluate(const Vector& rate_n, const Vector& rate, double part,
                               std::span<ContactCone> cones) const {
  for (const std::size_t c : contacts_) {
    const Index first = cones[c].first_row + 1;
    std::array<double, 2> sliding{};
    for (Index i = 0; i < law(c).friction_directions; ++i)
      sliding[i] = (1.0 - part) * rate_n[first + i] + part * rate[first + i];
    const double speed = std::hypot(sliding[0], sliding[1]);
    const FrictionLaw::Value value = law(c).friction->at(speed);
    const double change = speed > 0 ? part * value.slope / speed : 0.0;
    cones[c].mu = value.mu;
    cones[c].mu_gradient = {change * sliding[0], change * sliding[1]};
  }
}

}  // namespace picus
