// The work done in a step, from the forces as the scheme applied them (StepForces).

#include "local_work.hpp"
#include <picus/energy.hpp>
#include <picus/error.hpp>

#include <algorithm>
#include <utility>

namespace picus {

using detail::dot;
using detail::LocalVector;

namespace {

/// F_n to F_{n+1}, and f_n to f_{n+1}: numbers or vectors.
template <class Value>
void advance(const StepForces& part, const Value& f, Value& f_n, Value& F) {
  F = ((1 - part.alpha_f) * f + part.alpha_f * f_n - part.alpha_m * F) / (1 - part.alpha_m);
  f_n = f;
}

/// The impulse of reactions over the step: last F_n + next F_{n+1} of their forces, if any, and further impulses.
void sum_reactions(const StepForces& part, const Vector* force, const Vector& further, Vector& f_n, Vector& F,
                   Vector& impulse) {
  impulse = further;
  if (force == nullptr) return;
  impulse += part.last * F;
  advance(part, *force, f_n, F);
  impulse += part.next * F;
}

Motion motion_at(const ForcePoint& point, const State& end) {
  if (point.q == nullptr) return {end.q, end.v, end.time};
  return {*point.q, *point.v, point.time};
}

}  // namespace

void EnergyAudit::begin_motion(const State& start) {
  system_->add_forces({start.q, start.v, start.time}, 1.0, point_force_);
  summed_force_ = potential_force_ = point_force_;
  for (const WorkRecord& record : work_records_) {
    for_each_dof(*record.element, [&](Index i, Index dof) { potential_force_[dof] -= record.value[i]; });
  }
  contact_force_n_.setZero();
  list_found_contacts();
  G_ = new_G_ = system_->make_constraint_gradients();
  system_->evaluate_gradients(start.q, start.time, G_);
  System::add_transpose(system_->constraint_entries(), G_, start.constraint_force, 1.0, point_reaction_);
  summed_reaction_ = point_reaction_;
  if (driven_dofs_.empty()) return;
  contact_G_ = new_contact_G_ = system_->make_contact_gradients();
  system_->evaluate_contact_gradients(start.q, contact_G_);
}

void EnergyAudit::add_step(const State& state, double h, std::span<const StepForces> forces) {
  system_->require_state(state);
  if (contact_rate_.size() != state.contact_rate.size())
    throw ModelError("energy audit: the contacts have changed, but change_contacts() was not called");
  if (process_ == Process::quasi_static) {
    add_displacements(state);
    if (system_->is_rheonomic()) work_of_motions_ += quasi_static_work_of_constraints(state, h);
    return;
  }
  if (forces.empty()) {
    StepForces rule = StepForces::trapezoidal(h);
    rule.constraint_force = &state.constraint_force;
    add_part(rule, state);
    return;
  }
  for (const StepForces& part : forces) add_part(part, part.end != nullptr ? *part.end : state);
}

void EnergyAudit::add_part(const StepForces& part, const State& end) {
  begin_part(part);
  mean_velocity_ = 0.5 * (velocity_ + end.v);
  difference(system_->nodes(), q_, end.q, displacement_);
  evaluate_forces(part, end);
  const double work = add_works_of_records(part, end);
  add_gains(part, end, work);
  add_reactions(part, end);
  if (!driven_dofs_.empty()) add_work_of_driven_components(part, end);
  q_ = end.q;
  velocity_ = end.v;
  contact_rate_ = end.contact_rate;
  if (part.retiming_after != 1.0) retime_forces(part.retiming_after);
}

void EnergyAudit::begin_part(const StepForces& part) {
  if (part.restart != nullptr) restart_forces(*part.restart);
  if (part.retiming != 1.0) retime_forces(part.retiming);
}

void EnergyAudit::retime_forces(double factor) {
  const auto retime = [&](const Vector& f, Vector& F) { F = f + factor * (F - f); };
  retime(point_force_, summed_force_);
  retime(constraint_force_n_, summed_constraint_);
  retime(point_reaction_, summed_reaction_);
  retime(contact_force_n_, summed_contact_);
  for (WorkRecord& record : work_records_) {
    for (std::size_t i = 0; i < record.point.size(); ++i)
      record.summed[i] = record.point[i] + factor * (record.summed[i] - record.point[i]);
  }
}

void EnergyAudit::restart_forces(const ForceRestart& restart) {
  const Motion motion{*restart.point.q, *restart.point.v, restart.point.time};
  point_force_.setZero();
  system_->add_forces(motion, 1.0, point_force_);
  summed_force_ = point_force_;
  constraint_force_n_ = summed_constraint_ = *restart.constraint_force;
  system_->evaluate_gradients(motion.q, motion.t, new_G_);
  point_reaction_.setZero();
  System::add_transpose(system_->constraint_entries(), new_G_, constraint_force_n_, 1.0, point_reaction_);
  summed_reaction_ = point_reaction_;
  contact_force_n_.setZero();
  summed_contact_.setZero();
  for (WorkRecord& record : work_records_) {
    evaluate(record, motion, 1.0, record.point);
    record.summed = record.point;
  }
}

void EnergyAudit::evaluate_forces(const StepForces& part, const State& end) {
  const auto evaluate_total = [&](const ForcePoint& point, Vector& f) {
    if (point.impulse != nullptr) {
      f = *point.impulse / point.unit;
      return;
    }
    f.setZero();
    system_->add_forces(motion_at(point, end), 1.0, f);
  };
  const std::span<const ForcePoint> points(part.points.data(), part.point_count);
  const auto at_end = std::ranges::find(points, nullptr, &ForcePoint::q);
  evaluate_total(at_end != points.end() ? *at_end : ForcePoint{}, end_force_);
  impulse_ = part.last * summed_force_;
  for (const ForcePoint& point : points) {
    if (point.q != nullptr) evaluate_total(point, new_force_);
    const Vector& f = point.q == nullptr ? end_force_ : new_force_;
    if (&point == &points.front()) {
      advance(part, f, point_force_, summed_force_);
      impulse_ += part.next * summed_force_;
    }
    impulse_ += point.weight * f;
  }
  if (!part.ends_massless_components) return;
  for (const Index dof : system_->free_dofs()) {
    if (is_massless_[dof] != 0) impulse_[dof] = part.h * point_force_[dof];
  }
}

// Afterwards end_force_ contains only the potential forces.
double EnergyAudit::add_works_of_records(const StepForces& part, const State& end) {
  LocalVector now_buffer, point_buffer, impulse_buffer;
  double sum = 0;
  for (WorkRecord& record : work_records_) {
    const std::size_t n = record.value.size();
    const std::span<double> now(now_buffer.data(), n), point(point_buffer.data(), n),
        impulse(impulse_buffer.data(), n);
    evaluate(record, {end.q, end.v, end.time}, 1.0, now);
    for (std::size_t i = 0; i < n; ++i) impulse[i] = part.last * record.summed[i];
    for (std::size_t k = 0; k < part.point_count; ++k) {
      if (part.points[k].q != nullptr) evaluate(record, motion_at(part.points[k], end), 1.0, point);
      const std::span<const double> f = part.points[k].q == nullptr ? now : point;
      for (std::size_t i = 0; i < n; ++i) {
        if (k == 0) {
          advance(part, f[i], record.point[i], record.summed[i]);
          impulse[i] += part.next * record.summed[i];
        }
        impulse[i] += part.points[k].weight * f[i];
      }
    }
    for_each_dof(*record.element, [&](Index i, Index dof) {
      const std::size_t local = i;
      end_force_[dof] -= now[local];
      if (part.ends_massless_components && is_massless_[dof] != 0)
        impulse[local] = part.h * record.point[local];
    });
    std::copy(now.begin(), now.end(), record.value.begin());
    const double work = dot(*record.element, impulse, mean_velocity_);
    record.work += work;
    sum += work;
  }
  return sum;
}

void EnergyAudit::add_gains(const StepForces& part, const State& end, double work_of_records) {
  potential_force_ = 0.5 * (potential_force_ + end_force_);
  double corrected = 0;
  if (part.predicted_increment != nullptr) {
    correction_ = displacement_ - *part.predicted_increment;
    if (part.predicted_velocity != nullptr) correction_ -= 0.5 * part.h * (end.v - *part.predicted_velocity);
    corrected = potential_force_.dot(correction_);
  }
  numerical_ +=
      impulse_.dot(mean_velocity_) - work_of_records - potential_force_.dot(displacement_) + corrected;
  work_of_corrections_ -= corrected;
  potential_force_.swap(end_force_);
}

void EnergyAudit::add_reactions(const StepForces& part, const State& end) {
  sum_reactions(part, part.constraint_force,
                part.constraint_impulse != nullptr ? *part.constraint_impulse : end.constraint_impulse,
                constraint_force_n_, summed_constraint_, row_impulse_);
  double work_of_motions = 0;
  if (system_->is_rheonomic()) {
    system_->evaluate_partial_rates(end.q, end.time, new_rate_);
    work_of_motions = -0.5 * row_impulse_.dot(partial_rate_ + new_rate_);  // G v = -g_t
    partial_rate_.swap(new_rate_);
  }
  work_of_motions_ += work_of_motions;
  if (part.constraint_columns != nullptr && system_->row_count() > 0) {
    sum_constraint_impulses(part, end);
    work_of_constraints_ += reaction_impulse_.dot(mean_velocity_) - work_of_motions;
  }
  sum_reactions(part, part.contact_force,
                part.contact_impulse != nullptr ? *part.contact_impulse : end.contact_impulse,
                contact_force_n_, summed_contact_, contact_impulse_);
  if (part.contact_columns != nullptr) {
    System::multiply(system_->contact_entries(), *part.contact_columns, mean_velocity_, path_);
  } else {
    path_ = 0.5 * (contact_rate_ + end.contact_rate);
  }
  if (part.rate_shift != nullptr) {
    path_ += 0.5 * *part.rate_shift;
    (part.constraints_shift_rates ? work_of_constraints_ : numerical_) -=
        0.5 * contact_impulse_.dot(*part.rate_shift);
  }
  for (std::size_t c = 0; c < system_->contacts().size(); ++c) add_contact(c, contact_impulse_, 1.0, path_);
}

void EnergyAudit::sum_constraint_impulses(const StepForces& part, const State& end) {
  const auto entries = system_->constraint_entries();
  const Gradients& G = *part.constraint_columns;
  const Gradients& of_impulses =
      part.constraint_impulse_columns != nullptr ? *part.constraint_impulse_columns : G;
  reaction_impulse_.setZero();
  System::add_transpose(
      entries, of_impulses,
      part.constraint_impulse != nullptr ? *part.constraint_impulse : end.constraint_impulse, 1.0,
      reaction_impulse_);
  if (part.constraint_force == nullptr) return;
  new_force_.setZero();
  System::add_transpose(entries, part.point_columns != nullptr ? *part.point_columns : G,
                        *part.constraint_force, 1.0, new_force_);
  reaction_impulse_ += part.last * summed_reaction_;
  advance(part, new_force_, point_reaction_, summed_reaction_);
  reaction_impulse_ += part.next * summed_reaction_;
  if (part.point_columns == nullptr) return;
  reaction_impulse_ += part.points[0].weight * point_reaction_;
  if (part.point_count > 1)
    System::add_transpose(entries, G, *part.constraint_force, part.points[1].weight, reaction_impulse_);
}

// Reactions whose columns are not known act along the mean of their directions at both ends.
void EnergyAudit::add_work_of_driven_components(const StepForces& part, const State& end) {
  new_force_ = end.v - velocity_;
  mass_.assemble(end.q);
  mass_.multiply(new_force_, momentum_change_);
  if (!mass_.is_constant()) {
    mass_.assemble(q_);
    mass_.multiply(new_force_, displacement_);
    momentum_change_ = 0.5 * (momentum_change_ + displacement_);
  }
  system_->evaluate_gradients(end.q, end.time, new_G_);
  system_->evaluate_contact_gradients(end.q, new_contact_G_);
  if (part.constraint_columns != nullptr) {
    if (system_->row_count() > 0) impulse_ += reaction_impulse_;
  } else {
    for (const Gradients* rows : {&G_, &new_G_})
      System::add_transpose(system_->constraint_entries(), *rows, row_impulse_, 0.5, impulse_);
  }
  if (part.contact_columns != nullptr) {
    System::add_transpose(system_->contact_entries(), *part.contact_columns, contact_impulse_, 1.0, impulse_);
  } else {
    for (const Gradients* columns : {&contact_G_, &new_contact_G_})
      System::add_transpose(system_->contact_entries(), *columns, contact_impulse_, 0.5, impulse_);
  }
  for (const Index dof : driven_dofs_)
    work_of_motions_ += mean_velocity_[dof] * (momentum_change_[dof] - impulse_[dof]);
  std::swap(G_, new_G_);
  std::swap(contact_G_, new_contact_G_);
}

void EnergyAudit::change_contacts(const State& state) {
  const Index count = system_->contact_row_count();
  contact_rate_ = state.contact_rate;
  path_.setZero(count);
  if (process_ == Process::quasi_static) {
    contact_force_n_ = state.contact_impulse;
    return;
  }
  const Vector force = std::exchange(contact_force_n_, Vector::Zero(count));
  const Vector summed = std::exchange(summed_contact_, Vector::Zero(count));
  const auto keep = [&](Index from, Index to, Index rows) {
    contact_force_n_.segment(to, rows) = force.segment(from, rows);
    summed_contact_.segment(to, rows) = summed.segment(from, rows);
  };
  keep(0, 0, system_->declared_contact_row_count());
  const auto blocks = system_->contacts().subspan(system_->declared_contacts().size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock<Contact>& block = blocks[i];
    const ContactKey& key = system_->found_contacts()[i];
    const auto place = std::ranges::lower_bound(found_rows_, key, {}, &FoundRows::key);
    if (place != found_rows_.end() && place->key == key && place->count == block.rows)
      keep(place->first, block.first_row, block.rows);
  }
  list_found_contacts();
  if (driven_dofs_.empty()) return;
  contact_G_ = new_contact_G_ = system_->make_contact_gradients();
  system_->evaluate_contact_gradients(q_, contact_G_);
}

void EnergyAudit::list_found_contacts() {
  found_rows_.clear();
  const auto blocks = system_->contacts().subspan(system_->declared_contacts().size());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    found_rows_.push_back({system_->found_contacts()[i], blocks[i].first_row, blocks[i].rows});
}

// Normal forces of contacts do no work: they vanish while the gap changes.
void EnergyAudit::add_displacements(const State& state) {
  difference(system_->nodes(), q_, state.q, displacement_);
  LocalVector value;
  for (WorkRecord& record : work_records_) {
    const std::span<double> now(value.data(), record.value.size());
    evaluate(record, {state.q, state.v, state.time}, state.load_factor, now);
    record.work +=
        0.5 * (dot(*record.element, record.value, displacement_) + dot(*record.element, now, displacement_));
    std::copy(now.begin(), now.end(), record.value.begin());
  }
  for (const Index dof : driven_dofs_)
    work_of_motions_ += 0.5 * (reaction_[dof] + state.reaction[dof]) * displacement_[dof];
  system_->evaluate_gaps(q_, state.q, path_);
  for (const auto& block : system_->contacts()) path_[block.first_row] = 0.0;
  contact_force_n_ += state.contact_impulse;
  for (std::size_t c = 0; c < system_->contacts().size(); ++c) add_contact(c, contact_force_n_, 0.5, path_);
  q_ = state.q;
  reaction_ = state.reaction;
  contact_force_n_ = state.contact_impulse;
}

// The power of a reaction G^T lambda is v^T G^T lambda = -g_t^T lambda, since G v + g_t = 0.
double EnergyAudit::quasi_static_work_of_constraints(const State& state, double h) {
  system_->evaluate_partial_rates(state.q, state.time, new_rate_);
  const double power = -state.constraint_force.dot(new_rate_);
  const double work =
      0.5 * h * (constraint_power_ + power) - 0.5 * state.constraint_impulse.dot(partial_rate_ + new_rate_);
  constraint_power_ = power;
  partial_rate_.swap(new_rate_);
  return work;
}

}  // namespace picus
