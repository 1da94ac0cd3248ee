#include <picus/solvers/subproblems/stage.hpp>

#include <algorithm>
#include <numeric>

namespace picus {

Stage::Stage(StepData& data, std::string_view name, KktAssembler::Rows rows)
    : Subproblem(data, rows),
      name_(name),
      contact_rows_(*system_),
      all_contacts_(cones_.size()),
      friction_(*system_, cones_.size()) {
  if (!cones_.empty()) averaged_ = system_->make_contact_gradients();
  z_ = v_ = v_forces_ = fixed_impulse_ = force_impulse_ = Vector::Zero(system_->velocity_count());
  row_value_ = partial_rate_ = scaled_row_ = correction_ = Vector::Zero(system_->row_count());
  contact_rate_ = restitution_ = scaled_contact_ = Vector::Zero(system_->contact_row_count());
  std::iota(all_contacts_.begin(), all_contacts_.end(), std::size_t{0});
}

void Stage::begin(const StageSetting& setting, const Vector* z, const Vector* mu) {
  if (setting.source != setting_.source) ++setting_number_;
  setting_ = setting;
  redundant_.forget();
  end_relaxation();
  note_redundancies();
  if (z == nullptr) z_.setZero();
  if (z != nullptr) z_ = *z;
  row_x_.setZero();
  if (mu != nullptr) row_x_ = mu->cwiseQuotient(row_scale_);
  update_multipliers(setting.lambda, setting.source);
  restitution_.setZero();
  if (setting.contact_rate_n != nullptr)
    set_restitution_rates(*setting.contact_rate_n, setting.rates_after_impact, restitution_);
  if (data_->contact_rate_n != nullptr && has_friction_) friction_.begin(*data_->contact_rate_n, cones_);
  if (has_fixed_configuration()) {
    fixed_impulse_.setZero();
    using enum System::ForceSelection;
    system_->add_forces({setting.force_point->q, *setting.v_forces.constant, setting.force_point->t},
                        setting.source, fixed_impulse_, 1.0, has_fixed_forces() ? all : not_of_velocity);
  }
  set_tolerances(setting.tolerances, has_fixed_forces() ? &fixed_impulse_ : nullptr);
}

void Stage::set_all_candidates(bool are_candidates) {
  for (ContactCone& cone : cones_) cone.is_candidate = are_candidates;
}

void Stage::set_friction(bool has_friction) {
  has_friction_ = has_friction;
  for (std::size_t c = 0; c < cones_.size(); ++c)
    cones_[c].mu = has_friction ? system_->contacts()[c].role->law().mu : 0.0;
}

bool Stage::has_velocity_rows() const {
  return setting_.rows != RowLevel::position || setting_.contacts != RowLevel::position;
}

/// Whether the configuration at which forces act is fixed, whatever the velocities.
bool Stage::has_fixed_configuration() const {
  return setting_.source != 0 && !setting_.dq_forces.moves();
}

bool Stage::has_fixed_forces() const {
  return has_fixed_configuration() && !setting_.v_forces.moves();
}

bool Stage::averages_contacts() const {
  return setting_.mean_force_directions != nullptr && setting_.mean_force_directions->any();
}

const Gradients& Stage::contact_columns() const {
  if (averages_contacts()) return averaged_;
  return setting_.contact_points.empty() ? setting_.force_point->contact_G
                                         : setting_.constraint_point->contact_G;
}

void Stage::move(StagePoint& point, const StageMap& dq) const {
  dq.evaluate(z_, point.dq);
  retract(system_->nodes(), *data_->q_n, point.dq, point.q);
}

/// A fixed point has been evaluated before.
void Stage::evaluate_points() {
  const StageSetting& s = setting_;
  const bool has_contacts = !cones_.empty() && s.contact_points.empty();
  const bool holds = s.contacts == RowLevel::acceleration;
  const auto evaluate_at = [&](StagePoint& point, const StageMap& dq) {
    if (!dq.moves()) return;
    move(point, dq);
    system_->evaluate_gradients(point.q, point.t, point.G);
    if (has_contacts && !holds) system_->evaluate_contact_gradients(point.q, point.contact_G);
    if (has_contacts && holds) evaluate_held_contacts(point);
  };
  evaluate_at(*s.constraint_point, s.dq_constraints);
  if (s.force_point != s.constraint_point) evaluate_at(*s.force_point, s.dq_forces);
  if (s.mass_moves) s.force_point->mass.assemble(s.force_point->q);
  if (s.accelerations != nullptr) s.accelerations->evaluate(z_);
}

/// All other contacts have no force.
void Stage::evaluate_held_contacts(StagePoint& point) const {
  std::ranges::fill(point.contact_G.values, 0.0);
  for (const std::size_t c : setting_.held) {
    const auto& block = system_->contacts()[c];
    block.role->gradient(
        point.q, std::span(point.contact_G.values.data() + block.first_source, block.rows * block.dofs));
  }
}

void Stage::evaluate_rows() {
  const StageSetting& s = setting_;
  const StagePoint& point = *s.constraint_point;
  if (has_velocity_rows()) s.v.evaluate(z_, v_);
  if (s.rows == RowLevel::position) {
    system_->evaluate_constraint_residual(point.q, point.t, row_value_);
    return;
  }
  if (s.rows == RowLevel::acceleration) {
    s.accelerations->constraint_values(row_value_);
    return;
  }
  System::multiply(system_->constraint_entries(), point.G, v_, row_value_);
  if (!system_->is_rheonomic()) return;
  system_->evaluate_partial_rates(point.q, point.t, partial_rate_);
  row_value_ += partial_rate_;
}

void Stage::evaluate_contacts() {
  const StageSetting& s = setting_;
  if (cones_.empty()) return;
  if (!s.contact_points.empty()) {
    Gradients& G = s.constraint_point->contact_G;
    std::fill(G.values.begin(), G.values.end(), 0.0);
    contact_y_.setZero();
    for (ContactPoint& one : s.contact_points) {
      move(*one.point, one.dq);
      for (const std::size_t c : one.contacts) {
        const auto& block = system_->contacts()[c];
        block.role->displacement(*data_->q_n, one.point->q,
                                 std::span(contact_y_.data() + block.first_row, block.rows));
        block.role->gradient(one.point->q,
                             std::span(G.values.data() + block.first_source, block.rows * block.dofs));
      }
    }
  } else if (s.contacts == RowLevel::position) {
    system_->evaluate_gaps(*data_->q_n, s.constraint_point->q, contact_y_);
  }
  if (averages_contacts()) {
    averaged_.values = s.force_point->contact_G.values;
    s.rotates_slip ? s.mean_force_directions->average_and_rotate(averaged_)
                   : s.mean_force_directions->average(averaged_);
  }
  if (s.contacts == RowLevel::position) {
    if (s.gap_unit != 1) contact_y_ /= s.gap_unit;
    return;
  }
  if (s.contacts == RowLevel::acceleration) {
    contact_y_.setZero();
    s.accelerations->contact_values(contact_y_);
    return;
  }
  System::multiply(system_->contact_entries(), s.constraint_point->contact_G, v_, contact_rate_);
  contact_y_ = contact_rate_ + restitution_;
  if (data_->contact_rate_n != nullptr && has_friction_)
    friction_.evaluate(*data_->contact_rate_n, contact_rate_, s.part_in_sliding, cones_);
}

const Vector& Stage::force_velocity() {
  const StageMap& map = setting_.v_forces;
  if (!map.moves() && map.constant != nullptr) return *map.constant;
  if (map == setting_.v && has_velocity_rows()) return v_;
  map.evaluate(z_, v_forces_);
  return v_forces_;
}

void Stage::add_forces() {
  const StageSetting& s = setting_;
  if (s.source == 0) return;
  if (has_fixed_configuration()) residual_ -= fixed_impulse_;
  if (has_fixed_forces()) return;
  using enum System::ForceSelection;
  system_->add_forces({s.force_point->q, force_velocity(), s.force_point->t}, -s.source, residual_, 1.0,
                      has_fixed_configuration() ? of_velocity : all);
}

void Stage::evaluate_equations() {
  const StageSetting& s = setting_;
  evaluate_points();
  evaluate_rows();
  evaluate_contacts();
  if (s.mass == nullptr) {
    residual_.setZero();
  } else if (s.mass_of_z != nullptr) {
    s.mass_of_z->multiply(z_, residual_);
    if (s.w_0 != nullptr) {
      s.mass->mass.multiply(*s.w_0, w_);
      residual_ += w_;
    }
  } else if (s.w_0 == nullptr) {
    s.mass->mass.multiply(z_, residual_);
  } else {
    w_ = *s.w_0 + z_;
    s.mass->mass.multiply(w_, residual_);
  }
  force_impulse_ = residual_;
  add_forces();
  force_impulse_ -= residual_;
  System::add_transpose(system_->constraint_entries(), s.force_point->G, mu_, -s.multiplier_factor,
                        residual_);
  if (s.correction_columns != nullptr) {
    correction_ = row_scale_.cwiseProduct(row_x_);
    System::add_transpose(system_->constraint_entries(), *s.correction_columns, correction_,
                          -s.multiplier_factor, residual_);
    System::add_transpose(system_->constraint_entries(), s.force_point->G, correction_, s.multiplier_factor,
                          residual_);
  }
  System::add_transpose(system_->contact_entries(), contact_columns(), contact_P_, -s.multiplier_factor,
                        residual_);
}

ResidualNorm Stage::evaluate(Vector& r) {
  const Profile::Scope clock(system_->profile(), ProfilePart::evaluation);
  evaluate_equations();
  return gather_residual(row_value_, r);
}

bool Stage::has_sliding_contacts() const {
  return std::ranges::any_of(all_contacts_, [&](std::size_t c) {
    return states_[c] == ContactState::slip && cones_[c].mu > 0 && cones_[c].rows > 2;
  });
}

bool Stage::predict(const Vector& r, Vector& dx) {
  const StageSetting& s = setting_;
  const double rate = s.contacts == RowLevel::position ? s.dq_constraints.own / s.gap_unit : s.v.own;
  const bool moves_otherwise = s.contacts != RowLevel::position && s.dq_constraints.moves();
  if (cones_.empty() || is_relaxed_ || s.contacts == RowLevel::acceleration || !s.contact_points.empty() ||
      s.multiplier_factor != 1 || rate != 1 || moves_otherwise)
    return false;
  zone_.solve(*this, kkt_.matrix(), r, dx);
  return true;
}

bool Stage::exclude_redundant_rows(LinearSolver& solver, Index unknowns, Index first) {
  return setting_.rows != RowLevel::position &&
         redundant_.find(solver, unknowns, first + first_row_unknown(), active_rows_, row_scale_,
                         data_->redundancies);
}

bool Stage::has_border() const {
  const std::vector<Redundancy>& all = data_->redundancies;
  return !all.empty() && (all.front().ends_off_constraints || setting_.correction_columns != nullptr);
}

bool Stage::find_border(Index first, RedundantBorder::Part& part) const {
  if (!redundant_.is_known() || !has_border()) return false;
  part.rows = &redundant_;
  part.first_unknown = first + first_row_unknown();
  part.multipliers.resize(count_of(active_rows_));
  for (Index i = 0; i < count_of(active_rows_); ++i)
    part.multipliers[i] = mu_[active_rows_[i]] / row_scale_[active_rows_[i]];
  return true;
}

void Stage::leave_out_excluded_rows(LinearSolver& solver, Vector& dx) {
  if (find_border(0, border_part_)) border_.apply(solver, {&border_part_, 1}, dx);
}

void Stage::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) z_[free_dofs[i]] += factor * dx[i];
  advance_multipliers(dx, factor);
  update_multipliers(setting_.lambda, setting_.source);
}

}  // namespace picus
