#include <picus/archive.hpp>
#include <picus/energy.hpp>
#include <picus/error.hpp>
#include <picus/local_dofs.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace picus {
namespace {

using LocalVector = std::array<double, max_local_dofs>;

/// Scalar product of a local vector and a vector in natural layout.
double dot(const Element& element, std::span<const double> local, const Vector& natural) {
  double sum = 0;
  for_each_dof(element, [&](Index i, Index dof) { sum += local[i] * natural[dof]; });
  return sum;
}

double Energies::*part_of(PotentialKind kind) {
  switch (kind) {
    case PotentialKind::gravity:
      return &Energies::gravitational;
    case PotentialKind::spring:
      return &Energies::springs;
    case PotentialKind::strain:
      return &Energies::strain;
    case PotentialKind::other:
      break;
  }
  return &Energies::other_potential;
}

}  // namespace

EnergyAudit::EnergyAudit(const System& system, const State& start, Process process, const ForceRule& rule)
    : system_(&system),
      process_(process),
      rule_(rule),
      elements_(elements_of(system.model())),
      roles_(elements_.size()),
      contact_works_(system.declared_contacts().size() + system.model().contact_sets().size()),
      velocity_(start.v),
      contact_rate_(start.contact_rate),
      partial_rate_(Vector::Zero(system.row_count())),
      q_(start.q),
      reaction_(start.reaction),
      contact_force_(start.contact_impulse),
      displacement_(Vector::Zero(system.velocity_count())),
      path_(Vector::Zero(system.contact_row_count())),
      new_rate_(Vector::Zero(system.row_count())),
      momentum_(Vector::Zero(system.velocity_count())),
      mass_(system) {
  system.require_state(start);
  for (const auto& [dof, motion] : system.model().driven()) driven_dofs_.push_back(dof);
  initialize_work_records(start);
  Energies energies;
  mass_.assemble(start.q);
  add_potentials(start, energies);
  initial_energy_ = 0.5 * mass_.quadratic(start.v) + energies.potential;
  if (system.is_rheonomic()) {
    system.evaluate_partial_rates(start.q, start.time, partial_rate_);
    constraint_power_ = -start.constraint_force.dot(partial_rate_);
  }
}

std::vector<const Element*> EnergyAudit::elements_of(const Model& model) {
  std::vector<const Element*> elements;
  for (const auto& [element, role] : model.inertias()) elements.push_back(element);
  std::set<const Element*> known(elements.begin(), elements.end());
  for (const auto& [element, role] : model.forces()) {
    if (known.insert(element).second) elements.push_back(element);
  }
  return elements;
}

void EnergyAudit::initialize_work_records(const State& start) {
  std::map<const Element*, Roles*> places;
  for (std::size_t i = 0; i < elements_.size(); ++i) places[elements_[i]] = &roles_[i];
  for (const auto& [element, role] : system_->model().inertias()) places[element]->inertia = role;
  for (const auto& [element, role] : system_->model().forces()) {
    Roles& roles = *places[element];
    roles.force = role;
    const Force::Traits traits = role->traits();
    if (traits.has_potential) potentials_.push_back({element, role, part_of(traits.potential_kind)});
    // A load with a potential that is applied in part does work beyond its potential.
    if (traits.is_conservative && !(process_ == Process::quasi_static && traits.is_load)) continue;
    roles.record = static_cast<std::ptrdiff_t>(work_records_.size());
    work_records_.push_back({element, role, traits, std::vector<double>(element->dof_count(), 0.0)});
  }
  for (WorkRecord& record : work_records_) {
    evaluate(record, start, record.value);
    record.summed = record.value;
  }
  potential_loop_ = {system_->threads(), potentials_};
  values_.resize(potentials_.size());
}

void EnergyAudit::evaluate(const WorkRecord& record, const State& state, std::span<double> value) const {
  const Motion motion{state.q, state.v, state.time};
  LocalVector covered;  // force of the potential
  const std::span<double> potential_part(covered.data(), value.size());
  std::fill(value.begin(), value.end(), 0.0);
  std::fill(potential_part.begin(), potential_part.end(), 0.0);
  record.force->force(motion, value);
  if (record.traits.is_conservative) {
    std::copy(value.begin(), value.end(), potential_part.begin());
  } else if (record.traits.has_potential) {
    record.force->conservative_force(state.q, state.time, potential_part);
  }
  const double factor = record.traits.is_load ? state.load_factor : 1.0;
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = factor * value[i] - covered[i];
}

void EnergyAudit::change_contacts(const State& state) {
  contact_rate_ = state.contact_rate;
  contact_force_ = state.contact_impulse;
  path_.setZero(system_->contact_row_count());
}

void EnergyAudit::add_step(const State& state, double h) {
  system_->require_state(state);
  if (contact_rate_.size() != state.contact_rate.size())
    throw ModelError("energy audit: the contacts have changed, but change_contacts() was not called");
  if (process_ == Process::quasi_static) {
    add_displacements(state);
    if (system_->is_rheonomic()) work_of_motions_ += work_of_moving_constraints(state, h);
    return;
  }
  add_forces(state, h);
  work_of_motions_ += work_of_driven_components(state, h);
  if (system_->is_rheonomic()) work_of_motions_ += work_of_moving_constraints(state, h);
  path_ = contact_rate_ + state.contact_rate;
  for (std::size_t c = 0; c < system_->contacts().size(); ++c)
    add_contact(c, state.contact_impulse, 0.5, path_);
  velocity_ = state.v;
  contact_rate_ = state.contact_rate;
}

void EnergyAudit::add_forces(const State& state, double h) {
  const auto& [alpha_m, alpha_f, gamma] = rule_;
  LocalVector buffer;
  displacement_ = 0.5 * h * (velocity_ + state.v);
  for (WorkRecord& record : work_records_) {
    const std::span<double> now(buffer.data(), record.value.size());
    evaluate(record, state, now);
    for (std::size_t i = 0; i < now.size(); ++i) {
      double& F = record.summed[i];
      const double last = F;
      F = ((1 - alpha_f) * now[i] + alpha_f * record.value[i] - alpha_m * last) / (1 - alpha_m);
      record.value[i] = now[i];
      buffer[i] = (1 - gamma) * last + gamma * F;
    }
    record.work += dot(*record.element, now, displacement_);
  }
}

void EnergyAudit::add_contact(std::size_t contact, const Vector& impulse, double weight, const Vector& path) {
  const auto& block = system_->contacts()[contact];
  ContactWorks& works = contact_works_[system_->work_index_of_contact(contact)];
  works.impacts += weight * impulse[block.first_row] * path[block.first_row];
  for (Index i = block.first_row + 1; i < block.first_row + block.rows; ++i)
    works.friction += weight * impulse[i] * path[i];
}

// Normal forces of contacts do no work: they vanish while the gap changes.
void EnergyAudit::add_displacements(const State& state) {
  difference(system_->nodes(), q_, state.q, displacement_);
  LocalVector value;
  for (WorkRecord& record : work_records_) {
    const std::span<double> now(value.data(), record.value.size());
    evaluate(record, state, now);
    record.work +=
        0.5 * (dot(*record.element, record.value, displacement_) + dot(*record.element, now, displacement_));
    std::copy(now.begin(), now.end(), record.value.begin());
  }
  for (const Index dof : driven_dofs_) {
    work_of_motions_ += 0.5 * (reaction_[dof] + state.reaction[dof]) * displacement_[dof];
  }
  system_->evaluate_gaps(q_, state.q, path_);
  for (const auto& block : system_->contacts()) path_[block.first_row] = 0.0;
  contact_force_ += state.contact_impulse;
  for (std::size_t c = 0; c < system_->contacts().size(); ++c) add_contact(c, contact_force_, 0.5, path_);
  q_ = state.q;
  reaction_ = state.reaction;
  contact_force_ = state.contact_impulse;
}

void EnergyAudit::add_potentials(const State& state, Energies& energies) const {
  potential_loop_.for_each(0, potentials_.size(), [&](std::size_t i) {
    values_[i] = potentials_[i].force->potential_energy(state.q, state.time);
  });
  for (std::size_t i = 0; i < potentials_.size(); ++i) {
    energies.potential += values_[i];
    energies.*potentials_[i].part += values_[i];
  }
}

Energies EnergyAudit::energies(const State& state) const {
  Energies result;
  mass_.assemble(state.q);
  result.kinetic = 0.5 * mass_.quadratic(state.v);
  add_potentials(state, result);
  for (const WorkRecord& record : work_records_)
    (record.traits.is_load ? result.work_of_loads : result.work_of_dampers) += record.work;
  result.work_of_motions = work_of_motions_;
  for (const ContactWorks& works : contact_works_) {
    result.work_of_impacts += works.impacts;
    result.work_of_friction += works.friction;
  }
  result.work_of_contacts = result.work_of_impacts + result.work_of_friction;
  result.balance = result.kinetic + result.potential - initial_energy_ - result.work_of_loads -
                   result.work_of_dampers - result.work_of_motions - result.work_of_contacts;
  return result;
}

Momentum EnergyAudit::momentum(const State& state) const {
  mass_.assemble(state.q);
  mass_.multiply(state.v, momentum_);
  Momentum result;
  for (const Node& node : system_->nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    const Vec3 p = momentum_.segment<3>(node.v);
    result.linear += p;
    result.angular += state.q.position(node).cross(p);
    if (node.kind == NodeKind::frame)
      result.angular += state.q.rotation(node) * momentum_.segment<3>(node.v + 3);
  }
  return result;
}

void EnergyAudit::serialize(Archive& archive) {
  for (WorkRecord& record : work_records_) archive.in_place(record.value, record.summed, record.work);
  for (ContactWorks& works : contact_works_) archive.in_place(works.impacts, works.friction);
  archive.in_place(initial_energy_, work_of_motions_, constraint_power_, velocity_, contact_rate_,
                   partial_rate_);
  archive.in_place(q_, reaction_, contact_force_);
}

ElementEnergies EnergyAudit::element_energies(std::size_t i, const State& state) const {
  const Element& element = *elements_[i];
  const Roles& roles = roles_[i];
  ElementEnergies result;
  if (roles.inertia != nullptr) {
    const std::size_t n = element.dof_count();
    std::array<double, max_local_dofs * max_local_dofs> M{};
    LocalVector v{};
    roles.inertia->mass(state.q, {M.data(), n * n});
    gather(element, state.v, {v.data(), n});
    for (std::size_t column = 0; column < n; ++column) {
      for (std::size_t row = 0; row < n; ++row)
        result.kinetic += 0.5 * v[row] * M[column * n + row] * v[column];
    }
  }
  if (roles.force != nullptr && roles.force->traits().has_potential)
    result.potential = roles.force->potential_energy(state.q, state.time);
  if (roles.record >= 0) result.work = work_records_[roles.record].work;
  return result;
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

}  // namespace picus
