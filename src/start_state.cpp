#include <picus/start_state.hpp>

namespace picus {

State start_state(const System& system) {
  const Model& model = system.model();
  const Index n = system.velocity_count();
  const Index rows = system.row_count();
  const Index contact_rows = system.contact_row_count();
  State state;
  state.q = model.initial_configuration();
  state.v = Eigen::Map<const Vector>(model.initial_velocity().data(), n);
  state.acceleration = Vector::Zero(n);
  state.auxiliary = Vector::Zero(n);
  Vector no_increment = Vector::Zero(n);
  constexpr double short_time = 1e-9;  // accelerations that are not given are differences of rates
  system.prescribe(short_time, -short_time, no_increment, state.v, state.acceleration);
  state.constraint_force = Vector::Zero(rows);
  state.constraint_impulse = Vector::Zero(rows);
  state.contact_impulse = Vector::Zero(contact_rows);
  state.contact_rate = Vector::Zero(contact_rows);
  state.contact_slip = Vector::Zero(contact_rows);
  state.contact_state.assign(system.contacts().size(), ContactState::gap);
  state.position_multiplier = Vector::Zero(contact_rows);
  state.contact_impulse_change = state.position_multiplier_change = Vector::Zero(contact_rows);
  state.reaction = Vector::Zero(n);
  return state;
}

}  // namespace picus
