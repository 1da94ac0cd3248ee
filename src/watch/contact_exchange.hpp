#pragma once

/// The energy that contacts exchange with resting bodies in a step.

#include <picus/energy.hpp>
#include <picus/system.hpp>

namespace picus::watch {

/// The kinetic energy that the contact impulses of a step would give the masses of their nodes, which for a body at rest
/// is that of the fall that they prevent: an error far below it is one of tolerances.
class ContactExchange {
 public:
  explicit ContactExchange(const System& system) : system_(&system) {}
  /// At the end of a step, J; `audit` is at the same state.
  double energy(const State& state, const EnergyAudit& audit);

 private:
  const System* system_;
  Gradients G_;
  Vector impulse_;  ///< natural layout
};

}  // namespace picus::watch
