#include "contact_exchange.hpp"

namespace picus::watch {

double ContactExchange::energy(const State& state, const EnergyAudit& audit) {
  const System& system = *system_;
  if (system.contact_row_count() == 0 || state.contact_impulse.isZero(0.0)) return 0.0;
  const auto& last = system.contacts().back();
  const auto size = static_cast<std::size_t>(last.first_source + last.rows * last.dofs);
  if (G_.values.size() != size) G_ = system.make_contact_gradients();  // contacts that are found vary
  system.evaluate_contact_gradients(state.q, G_);
  impulse_.setZero(system.velocity_count());
  System::add_transpose(system.contact_entries(), G_, state.contact_impulse, 1.0, impulse_);
  double energy = 0.0;
  for (const Index dof : system.free_dofs()) {
    const double mass = audit.mass(dof);
    if (mass > 0) energy += impulse_[dof] * impulse_[dof] / (2 * mass);
  }
  return energy;
}

}  // namespace picus::watch
