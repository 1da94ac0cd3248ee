#pragma once

/// Coefficients of friction that depend on the sliding speed (FrictionLaw), in the cones of a stage.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/system.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace picus {

class VaryingFriction {
 public:
  /// Lists the contacts with a law among the first `count`: all, or none in a stage without contacts.
  VaryingFriction(const System& system, std::size_t count);

  /// Coefficients at the rates of t_n, contact row layout.
  void begin(const Vector& rate_n, std::span<ContactCone> cones) const;
  /// Coefficients at (1 - part) rate_n + part rate, with their gradients with respect to `rate`.
  void evaluate(const Vector& rate_n, const Vector& rate, double part, std::span<ContactCone> cones) const;

 private:
  const ContactLaw& law(std::size_t contact) const { return system_->contacts()[contact].role->law(); }

  const System* system_;
  std::vector<std::size_t> contacts_;
};

}  // namespace picus
