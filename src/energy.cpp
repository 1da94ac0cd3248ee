#include <picus/archive.hpp>
#include <picus/energy.hpp>

namespace picus {

EnergyAudit::EnergyAudit(const System& system, const State& start, Process process)
    : system_(&system),
      process_(process),
      velocity_(start.v),
      contact_rate_(start.contact_rate),
      partial_rate_(Vector::Zero(system.row_count())),
      q_(start.q),
      force_(Vector::Zero(system.velocity_count())),
      reaction_(start.reaction),
      contact_force_(start.contact_impulse),
      displacement_(force_),
      gap_(Vector::Zero(system.contact_row_count())),
      loads_(Vector::Zero(system.velocity_count())),
      new_rate_(Vector::Zero(system.row_count())),
      mass_(system) {
  for (const auto& [dof, motion] : system.model().driven()) driven_dofs_.push_back(dof);
  initial_energy_ = mechanical_energy(start);
  load_power_ = power_of_loads(start);
  if (process == Process::quasi_static)
    system.add_loads({start.q, start.v, start.time}, force_, start.load_factor);
  if (system.is_rheonomic()) {
    system.evaluate_partial_rates(start.q, start.time, partial_rate_);
    constraint_power_ = -start.constraint_force.dot(partial_rate_);
  }
}

void EnergyAudit::add_step(const State& state, double h) {
  if (process_ == Process::quasi_static) {
    add_displacement(state);
    if (system_->is_rheonomic()) work_of_motions_ += work_of_moving_constraints(state, h);
    return;
  }
  if (system_->has_loads()) {
    const double power = power_of_loads(state);
    work_of_loads_ += 0.5 * h * (load_power_ + power);
    load_power_ = power;
  }
  work_of_motions_ += work_of_driven_components(state, h);
  if (system_->is_rheonomic()) work_of_motions_ += work_of_moving_constraints(state, h);
  work_of_contacts_ += 0.5 * state.contact_impulse.dot(contact_rate_ + state.contact_rate);
  velocity_ = state.v;
  contact_rate_ = state.contact_rate;
}

// Normal forces of contacts do no work: they are zero while the gap changes.
void EnergyAudit::add_displacement(const State& state) {
  difference(system_->nodes(), q_, state.q, displacement_);
  loads_.setZero();
  system_->add_loads({state.q, state.v, state.time}, loads_, state.load_factor);
  work_of_loads_ += 0.5 * (force_ + loads_).dot(displacement_);
  for (const Index dof : driven_dofs_) {
    work_of_motions_ += 0.5 * (reaction_[dof] + state.reaction[dof]) * displacement_[dof];
  }
  system_->evaluate_gaps(q_, state.q, gap_);
  for (const RowBlock<Contact>& contact : system_->contacts()) {
    for (Index i = contact.first_row + 1; i < contact.first_row + contact.rows; ++i)
      work_of_contacts_ += 0.5 * (contact_force_[i] + state.contact_impulse[i]) * gap_[i];
  }
  q_ = state.q;
  force_ = loads_;
  reaction_ = state.reaction;
  contact_force_ = state.contact_impulse;
}

Energies EnergyAudit::energies(const State& state) const {
  Energies result;
  mass_.assemble(state.q);
  result.kinetic = 0.5 * mass_.quadratic(state.v);
  result.potential = system_->potential_energy(state.q, state.time);
  result.work_of_loads = work_of_loads_;
  result.work_of_motions = work_of_motions_;
  result.work_of_contacts = work_of_contacts_;
  result.balance = result.kinetic + result.potential - initial_energy_ - work_of_loads_ - work_of_motions_ -
                   work_of_contacts_;
  return result;
}

void EnergyAudit::serialize(Archive& archive) {
  archive(initial_energy_, work_of_loads_, work_of_motions_, work_of_contacts_);
  archive(load_power_, constraint_power_, velocity_, contact_rate_, partial_rate_);
  archive(q_, force_, reaction_, contact_force_);
}

double EnergyAudit::power_of_loads(const State& state) {
  if (!system_->has_loads()) return 0.0;
  loads_.setZero();
  system_->add_loads({state.q, state.v, state.time}, loads_);
  return loads_.dot(state.v);
}

double EnergyAudit::work_of_driven_components(const State& state, double h) const {
  double work = 0;
  for (const Index dof : driven_dofs_) {
    work += 0.5 * h * state.reaction[dof] * (velocity_[dof] + state.v[dof]);
  }
  return work;
}

// The power of a reaction G^T lambda is v^T G^T lambda = -g_t^T lambda, since G v + g_t = 0.
double EnergyAudit::work_of_moving_constraints(const State& state, double h) {
  system_->evaluate_partial_rates(state.q, state.time, new_rate_);
  const double power = -state.constraint_force.dot(new_rate_);
  const double work =
      0.5 * h * (constraint_power_ + power) - 0.5 * state.constraint_impulse.dot(partial_rate_ + new_rate_);
  constraint_power_ = power;
  partial_rate_.swap(new_rate_);
  return work;
}

double EnergyAudit::mechanical_energy(const State& state) const {
  mass_.assemble(state.q);
  return 0.5 * mass_.quadratic(state.v) + system_->potential_energy(state.q, state.time);
}

}  // namespace picus
