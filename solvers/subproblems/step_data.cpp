#include <picus/solvers/subproblems/step_data.hpp>

#include <algorithm>

namespace picus {

StagePoint::StagePoint(const System& system)
    : dq(Vector::Zero(system.velocity_count())),
      q(system.model().initial_configuration()),
      chart(system),
      mass(system),
      G(system.make_constraint_gradients()),
      contact_G(system.make_contact_gradients()) {}

void StagePoint::evaluate(const System& system) {
  mass.assemble(q);
  system.evaluate_gradients(q, t, G);
  system.evaluate_contact_gradients(q, contact_G);
}

StepData::StepData(const System& system_in)
    : StagePoint(system_in),
      system(&system_in),
      dq_smooth(dq),
      v_smooth(dq),
      acceleration(dq),
      lambda(Vector::Zero(system_in.row_count())),
      smooth(static_cast<const StagePoint&>(*this)),  // a copy shares the patterns
      force_directions(system_in),
      scales(system_in, mass),
      groups(system_in, scales, mass) {
  speed.resize(groups.count());
  impulse_n.assign(speed.size(), 0.0);
}

void StepData::find_rates_before_impact(const Vector& v, const Vector& rates_n, Vector& rates) const {
  rates.resize(rates_n.size());
  System::multiply(system->contact_entries(), contact_G, v, rates);
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    if ((*contact_state_n)[c] == ContactState::gap) continue;
    const auto& block = system->contacts()[c];
    rates.segment(block.first_row, block.rows) = rates_n.segment(block.first_row, block.rows);
  }
}

void StepData::set_speeds(const Vector& before, const Vector& predicted, const Vector& velocity_increment) {
  std::ranges::fill(speed, PerKind{});
  for (const Vector* v : {&before, &predicted, &velocity_increment}) groups.raise_speeds(*v, speed);
  groups.balance_speeds(speed);
}

}  // namespace picus
