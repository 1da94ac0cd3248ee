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

template <class Visit>
void Stage::for_each_contact_point(Visit&& visit) {
  if (cones_.empty()) return;
  if (setting_.contact_points.empty())
    visit(*setting_.constraint_point, setting_.dq_constraints, all_contacts_);
  for (ContactPoint& one : setting_.contact_points) visit(*one.point, one.dq, one.contacts);
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

void Stage::update_charts() {
  const StageSetting& s = setting_;
  if (s.dq_forces.moves()) s.force_point->chart.update(s.force_point->dq);
  if (s.constraint_point != s.force_point && s.dq_constraints.moves())
    s.constraint_point->chart.update(s.constraint_point->dq);
  for (ContactPoint& one : s.contact_points) one.point->chart.update(one.point->dq);
}

const Vector& Stage::scaled_rows(double factor) {
  if (factor == 1) return row_scale_;
  scaled_row_ = factor * row_scale_;
  return scaled_row_;
}

void Stage::add_row_derivatives(Rate rate) {
  const StageSetting& s = setting_;
  const StagePoint& point = *s.constraint_point;
  const double dq_rate = s.dq_constraints.*rate;
  const double v_rate = s.v.*rate;
  if (s.rows == RowLevel::position) {
    kkt_.add_constraint_rows(point.G, scaled_rows(dq_rate), point.chart);
  } else if (s.rows == RowLevel::acceleration) {
    s.accelerations->add_constraint_rows(kkt_, row_scale_);
  } else if (dq_rate == 0) {
    kkt_.add_constraint_rows(point.G, scaled_rows(v_rate));
  } else {
    // Rows -k (v_rate G + dq_rate d(G v)/dq T), composed of G + dq_rate d(G v)/dq T and the rest.
    kkt_.add_constraint_rate_rows(point.G, {point.q, v_, point.t}, row_scale_, dq_rate, point.chart);
    if (v_rate != 1) kkt_.add_constraint_rows(point.G, scaled_rows(v_rate - 1));
  }
}

void Stage::add_contact_geometric_stiffness(Rate rate) {
  const bool averages = averages_contacts();
  const auto add = [&](const StagePoint& point, double factor, std::span<const std::size_t> contacts) {
    if (factor == 0) return;
    scaled_contact_.setZero();
    for (const std::size_t c : contacts) {
      const ContactCone& cone = cones_[c];
      const double share = averages ? setting_.mean_force_directions->share(c) : 1.0;
      scaled_contact_.segment(cone.first_row, cone.rows) =
          share * factor * contact_P_.segment(cone.first_row, cone.rows);
    }
    kkt_.add_contact_geometric_stiffness(point.q, scaled_contact_, point.chart);
  };
  if (cones_.empty() || contact_row_content_ == ContactRows::motion) return;
  if (setting_.contact_points.empty()) {
    const double factor = setting_.multiplier_factor * setting_.dq_forces.*rate;
    if (setting_.contacts == RowLevel::acceleration) {
      add(*setting_.force_point, factor, setting_.held);
    } else if (factor == 1 && !averages) {
      kkt_.add_contact_geometric_stiffness(setting_.force_point->q, contact_P_, setting_.force_point->chart);
    } else {
      add(*setting_.force_point, factor, all_contacts_);
    }
  }
  for (const ContactPoint& one : setting_.contact_points)
    add(*one.point, setting_.multiplier_factor * one.dq.*rate, one.contacts);
}

Stage::RowDerivatives Stage::contact_row_derivatives(Rate rate, const StagePoint& point, const StageMap& dq) {
  const StageSetting& s = setting_;
  if (s.contacts == RowLevel::acceleration) return {s.accelerations->contact_rows(), 1.0};
  const Gradients& G = s.constraint_point->contact_G;
  const double v_rate = s.v.*rate;
  const double dq_rate = dq.*rate;
  if (s.contacts == RowLevel::position) return {G, dq_rate / s.gap_unit};
  if (dq_rate == 0) return {G, v_rate};
  return {contact_rows_.evaluate(point.q, v_, G, v_rate, dq_rate, point.chart), 1.0};
}

void Stage::add_contact_derivatives(Rate rate) {
  const StageSetting& s = setting_;
  const bool is_own = rate == &StageMap::own;
  const Gradients& columns = contact_columns();
  for_each_contact_point([&](const StagePoint& point, const StageMap& dq,
                             std::span<const std::size_t> contacts) {
    const bool has_gaps = s.contacts == RowLevel::position;
    const auto [rows, factor] = contact_row_derivatives(rate, point, dq);
    for (const std::size_t c : contacts) {
      const ContactCone& cone = cones_[c];
      ContactEquations equations = linearise(cone);
      if (factor != 1) {
        for (double& entry : equations.D) entry *= factor;
      }
      if (!is_own) equations.E.fill(0.0);
      const double k = is_own ? s.multiplier_factor * cone.k : 0.0;
      std::array<double, max_contact_rows> scale;
      scale.fill(k);
      const std::size_t m = cone.rows;
      kkt_.add_contact(static_cast<Index>(c), columns, {scale.data(), m}, rows, {equations.D.data(), m * m},
                       {equations.E.data(), m * m}, has_gaps ? &point.chart : nullptr);
    }
  });
}

void Stage::add_force_tangents(double dq_rate, double v_rate) {
  const StageSetting& s = setting_;
  if (s.source == 0 || has_fixed_forces()) return;
  kkt_.add_force_tangents({s.force_point->q, force_velocity(), s.force_point->t}, s.source * dq_rate,
                          s.source * v_rate, s.force_point->chart);
}

void Stage::add_derivatives(Rate rate) {
  const StageSetting& s = setting_;
  const StagePoint& point = *s.force_point;
  const double dq_rate = s.dq_forces.*rate;
  add_force_tangents(dq_rate, s.v_forces.*rate);
  if (dq_rate != 0) {
    if (s.mass_moves) kkt_.add_mass_gradient(point.q, s.w_0 != nullptr ? w_ : z_, dq_rate, point.chart);
    kkt_.add_constraint_geometric_stiffness(point.q, point.t, mu_, s.multiplier_factor * dq_rate,
                                            point.chart);
  }
  add_contact_geometric_stiffness(rate);
  add_row_derivatives(rate);
  add_contact_derivatives(rate);
}

const SparseMatrix& Stage::tangent() {
  const Profile::Scope clock(system_->profile(), ProfilePart::assembly);
  const StageSetting& s = setting_;
  update_charts();
  if (s.mass != nullptr) {
    kkt_.begin(s.mass->mass);
  } else {
    kkt_.begin();
  }
  add_derivatives(&StageMap::own);
  kkt_.add_constraint_columns(s.correction_columns != nullptr ? *s.correction_columns : s.force_point->G,
                              scaled_rows(s.multiplier_factor));
  kkt_.regularize(row_epsilon_);
  note_diagonal();
  return kkt_.matrix();
}

std::uint64_t Stage::tangent_family() const {
  return hashed(Subproblem::tangent_family(), setting_number_);
}

const SparseMatrix& Stage::tangent_with_updated_contacts() {
  const Profile::Scope clock(system_->profile(), ProfilePart::assembly);
  update_charts();
  kkt_.clear_contacts();
  add_contact_derivatives(&StageMap::own);
  return kkt_.matrix();
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
  for (std::size_t i = 0; i < active_rows_.size(); ++i)
    part.multipliers[static_cast<Index>(i)] = mu_[active_rows_[i]] / row_scale_[active_rows_[i]];
  return true;
}

void Stage::leave_out_excluded_rows(LinearSolver& solver, Vector& dx) {
  if (find_border(0, border_part_)) border_.apply(solver, {&border_part_, 1}, dx);
}

const SparseMatrix& Stage::coupling() {
  ++setting_number_;
  kkt_.begin();
  add_derivatives(&StageMap::other);
  return kkt_.matrix();
}

const SparseMatrix& Stage::coupling_with(ContactRows rows) {
  contact_row_content_ = rows;
  const SparseMatrix& matrix = coupling();
  contact_row_content_ = ContactRows::law;
  return matrix;
}

void Stage::respond(Rate rate, const Vector& dx, Vector& response) {
  const StageSetting& s = setting_;
  const auto free_dofs = system_->free_dofs();
  update_charts();
  response.setZero(system_->contact_row_count());
  for_each_contact_point(
      [&](const StagePoint& point, const StageMap& dq, std::span<const std::size_t> contacts) {
        const bool has_gaps = s.contacts == RowLevel::position;
        const auto [rows, factor] = contact_row_derivatives(rate, point, dq);
        work_.setZero();
        for (std::size_t i = 0; i < free_dofs.size(); ++i) work_[free_dofs[i]] = factor * dx[i];
        if (has_gaps) point.chart.push_forward(work_);
        System::multiply(system_->contact_entries(), rows, work_, scaled_contact_);
        for (const std::size_t c : contacts) {
          const ContactCone& cone = cones_[c];
          response.segment(cone.first_row, cone.rows) = scaled_contact_.segment(cone.first_row, cone.rows);
        }
      });
}

void Stage::contact_response(const Vector& dx, Vector& response) {
  respond(&StageMap::own, dx, response);
  if (is_relaxed_) response += compliance_ * dx.segment(kkt_.first_contact_unknown(), response.size());
}

void Stage::contact_response_to_other(const Vector& dx, Vector& response) {
  respond(&StageMap::other, dx, response);
}

void Stage::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) z_[free_dofs[i]] += factor * dx[i];
  advance_multipliers(dx, factor);
  update_multipliers(setting_.lambda, setting_.source);
}

}  // namespace picus
