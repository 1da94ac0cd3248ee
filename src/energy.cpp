#include "local_work.hpp"
#include <picus/archive.hpp>
#include <picus/energy.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace picus {

using detail::LocalVector;

namespace {

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

EnergyAudit::EnergyAudit(const System& system, const State& start, Process process)
    : system_(&system),
      process_(process),
      elements_(elements_of(system.model())),
      roles_(elements_.size()),
      contact_works_(system.declared_contacts().size() + system.model().contact_sets().size()),
      q_(start.q),
      velocity_(start.v),
      contact_rate_(start.contact_rate),
      partial_rate_(Vector::Zero(system.row_count())),
      point_force_(Vector::Zero(system.velocity_count())),
      constraint_force_n_(start.constraint_force),
      summed_constraint_(start.constraint_force),
      point_reaction_(point_force_),
      contact_force_n_(start.contact_impulse),
      summed_contact_(Vector::Zero(system.contact_row_count())),
      reaction_(start.reaction),
      mean_velocity_(point_force_),
      displacement_(point_force_),
      correction_(point_force_),
      impulse_(point_force_),
      reaction_impulse_(point_force_),
      end_force_(point_force_),
      new_force_(point_force_),
      momentum_change_(point_force_),
      path_(summed_contact_),
      new_rate_(partial_rate_),
      row_impulse_(partial_rate_),
      contact_impulse_(summed_contact_),
      is_massless_(system.velocity_count(), 0),
      momentum_(Vector::Zero(system.velocity_count())),
      mass_(system) {
  system.require_state(start);
  for (const auto& [dof, motion] : system.model().driven()) driven_dofs_.push_back(dof);
  Energies energies;
  mass_.assemble(start.q);
  for (const Index dof : system.free_dofs()) is_massless_[dof] = mass_.diagonal(dof) > 0 ? 0 : 1;
  initialize_work_records(start);
  if (process == Process::motion) begin_motion(start);
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
    work_records_.push_back({element, role, traits, std::vector<double>(element->dof_count(), 0.0), {}, {}});
  }
  for (WorkRecord& record : work_records_) {
    evaluate(record, {start.q, start.v, start.time}, start.load_factor, record.value);
    record.point = record.summed = record.value;
  }
  potential_loop_ = {system_->threads(), potentials_};
  values_.resize(potentials_.size());
}

void EnergyAudit::evaluate(const WorkRecord& record, const Motion& motion, double load_factor,
                           std::span<double> value) const {
  LocalVector covered;  // force of the potential
  const std::span<double> potential_part(covered.data(), value.size());
  std::fill(value.begin(), value.end(), 0.0);
  std::fill(potential_part.begin(), potential_part.end(), 0.0);
  record.force->force(motion, value);
  if (record.traits.is_conservative) {
    std::copy(value.begin(), value.end(), potential_part.begin());
  } else if (record.traits.has_potential) {
    record.force->conservative_force(motion.q, motion.t, potential_part);
  }
  const double factor = record.traits.is_load ? load_factor : 1.0;
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = factor * value[i] - covered[i];
}

void EnergyAudit::add_contact(std::size_t contact, const Vector& impulse, double weight, const Vector& path) {
  const auto& block = system_->contacts()[contact];
  ContactWorks& works = contact_works_[system_->work_index_of_contact(contact)];
  works.impacts += weight * impulse[block.first_row] * path[block.first_row];
  for (Index i = block.first_row + 1; i < block.first_row + block.rows; ++i)
    works.friction += weight * impulse[i] * path[i];
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
  result.numerical = numerical_;
  result.work_of_corrections = work_of_corrections_;
  result.work_of_constraints = work_of_constraints_;
  result.balance = result.kinetic + result.potential - initial_energy_ - result.work_of_loads -
                   result.work_of_dampers - result.work_of_motions - result.work_of_contacts;
  result.unexplained =
      result.balance - result.numerical - result.work_of_corrections - result.work_of_constraints;
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
  for (WorkRecord& record : work_records_)
    archive.in_place(record.value, record.point, record.summed, record.work);
  for (ContactWorks& works : contact_works_) archive.in_place(works.impacts, works.friction);
  archive.in_place(initial_energy_, work_of_motions_, numerical_, work_of_corrections_, work_of_constraints_,
                   constraint_power_);
  archive.in_place(q_, velocity_, contact_rate_, partial_rate_, reaction_);
  archive.in_place(potential_force_, point_force_, summed_force_, constraint_force_n_, summed_constraint_,
                   point_reaction_, summed_reaction_, contact_force_n_, summed_contact_);
  archive.in_place(G_.values, contact_G_.values);
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

}  // namespace picus
