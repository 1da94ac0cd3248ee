#include <picus/solvers/integrators/nsga_problems.hpp>

namespace picus {
namespace {

/// Interval of the differences of rates that give accelerations, as a fraction of the step: their error is (w d)^2/6,
/// small against those of the scheme, and the rounding error of rates is multiplied by ten only.
constexpr double difference_part = 1.0 / 16;

}  // namespace

SmoothProblem::SmoothProblem(StepData& data, HeldContacts* held)
    : ImplicitStage(
          data, data.smooth, "smooth",
          held != nullptr ? KktAssembler::Rows::bilateral_and_contacts : KktAssembler::Rows::bilateral),
      velocity_increment_(data.dq),
      to_rest_(Vector::Zero(size())),
      held_(held) {
  if (held_ != nullptr) accelerations_.emplace(*system_);
}

void SmoothProblem::begin(const GeneralizedAlpha& alpha, const Vector& acceleration_n,
                          const Vector& auxiliary_n, const Vector& lambda_n) {
  const StepData& d = *data_;
  alpha_ = alpha;
  acceleration_n_ = acceleration_n;
  auxiliary_n_ = auxiliary_n;
  velocity_increment_ = d.h * auxiliary_n;
  predict_motion(alpha, d.h, *d.v_n, acceleration_n, auxiliary_n, predicted_);
  mu_start_ = predicted_.force_rate * lambda_n;
  StageSetting s = predict_stage(predicted_, acceleration_n, velocity_increment_);
  if (U_ != nullptr) {
    s.dq_forces.other = s.dq_constraints.other = s.v_forces.other = 1.0;
    s.dq_forces.y = s.dq_constraints.y = U_;
    s.v_forces.y = W_;
  }
  if (held_ != nullptr) hold_contacts(s);
  const double c = s.source;
  s.tolerances = {.momentum = c / d.h, .row = 1, .momentum_floor = 1 / s.dq_forces.own, .row_floor = 1 / d.h};
  Stage::begin(s, &z_start_, &mu_start_);
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) to_rest_[i] = -z_start_[free_dofs[i]];
}

void SmoothProblem::hold_contacts(StageSetting& setting) {
  StepData& d = *data_;
  StagePoint& point = d.smooth;
  setting.dq_constraints.evaluate(z_start_, point.dq);
  retract(system_->nodes(), *d.q_n, point.dq, point.q);
  setting.v.evaluate(z_start_, v_);
  held_->find_directions(point.q, v_);
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    set_candidate(c, held_->holds(c));
    cones_[c].direction = held_->directions().data() + cones_[c].first_row;
  }
  contact_P_ = setting.source * held_->forces_n();
  accelerations_->set_contacts(held_->contacts());
  accelerations_->begin(*d.q_n, setting.dq_constraints, setting.v, d.t, setting.source, difference_part * d.h,
                        true);
  setting.rows = setting.contacts = RowLevel::acceleration;
  setting.accelerations = &*accelerations_;
  setting.held = held_->contacts();
}

void SmoothProblem::couple(const Vector& U, const Vector& W) {
  U_ = &U;
  W_ = &W;
}

NewtonOptions SmoothProblem::with_other_guess(NewtonOptions options) const {
  options.other_guess = &to_rest_;
  // A residual above the motion in a step means that the acceleration of t_n is no prediction.
  options.poor_guess_residual = 1.0 / data_->tolerance;
  return options;
}

void SmoothProblem::store_motion() {
  StepData& d = *data_;
  d.acceleration = acceleration();
  d.lambda = bilateral_force();
  StageMap{&formulas_.dq_0, formulas_.dq_own}.evaluate(increment(), d.dq_smooth);
  StageMap{&formulas_.v_0, formulas_.v_own}.evaluate(increment(), d.v_smooth);
}

void SmoothProblem::finish(Vector& auxiliary) {
  store_motion();
  auxiliary = auxiliary_n_;
  advance_auxiliary(alpha_, acceleration_n_, data_->acceleration, auxiliary);
  system_->clear_prescribed(auxiliary);
}

void PositionProblem::begin_at(double source, const MassMatrix* mass_of_U, const ToleranceFactors& factors) {
  StepData& d = *data_;
  w_0_ = source * d.acceleration;
  const StageMap dq{.constant = &d.dq_smooth, .own = 1.0};
  const StageSetting setting{.source = source,
                             .w_0 = source != 0 ? &w_0_ : nullptr,
                             .lambda = &d.lambda,
                             .mass = &d.smooth,
                             .mass_of_z = mass_of_U,
                             .force_point = &d,
                             .dq_forces = dq,
                             .v_forces = {.constant = &d.v_smooth},
                             .constraint_point = &d,
                             .dq_constraints = dq,
                             .rows = RowLevel::position,
                             .contacts = RowLevel::position,
                             .mean_force_directions = &d.force_directions,
                             .tolerances = factors};
  Stage::begin(setting);
}

void PositionProblem::begin(const PositionTerms& terms) {
  StepData& d = *data_;
  const double h = d.h;
  set_friction(terms.has_friction);
  if (terms.has_friction) d.force_directions.align(d.smooth.q);
  // Which contacts will close is not known yet; the impulses of impacts are found by the velocity problem.
  const bool averages = d.force_directions.any() && !d.mass.is_constant() &&
                        contact_groups_.find(d.groups, *d.contact_state_n, *d.contact_state_n);
  begin_at(terms.has_forces ? h * h : 0.0,
           averages ? mean_mass_.average(d.smooth.mass, *d.q_n, d.groups, contact_groups_) : nullptr,
           {.momentum = h, .row = h, .momentum_floor = 1, .row_floor = 1, .coordinates = 1, .impulse = h});
}

void PositionProblem::begin_projection(ProjectionUnit unit, double factor, bool has_contacts) {
  set_friction(false);
  set_all_candidates(has_contacts);
  begin_at(0.0, nullptr,
           {.momentum = factor,
            .row = factor,
            .momentum_floor = 1,
            .row_floor = 1,
            .coordinates = 1,
            .in_lengths = unit == ProjectionUnit::length});
}

void VelocityProblem::begin(const Before& before, std::span<const ContactState> position_states,
                            bool has_forces, const ImpactOutcome* impact) {
  StepData& d = *data_;
  const double source = has_forces ? d.h : 0.0;
  if (impact != nullptr) v_0_ = d.v_smooth + *impact->jump;
  const StageMap v{.constant = impact != nullptr ? &v_0_ : &d.v_smooth, .own = 1.0};
  w_0_ = source * d.acceleration;
  has_impact_ = impact != nullptr;
  update_matrices(position_states);
  const StageSetting setting{
      .source = source,
      .w_0 = source != 0 ? &w_0_ : nullptr,
      .lambda = &d.lambda,
      .mass = &d,
      .mass_of_z = mass_of_z(),
      .force_point = &d,
      .v_forces = v,
      .constraint_point = &d,
      .v = v,
      .mean_force_directions = &d.force_directions,
      .correction_columns = correction_columns(),
      .rotates_slip = true,
      .contact_rate_n = &rates_before_impact(before, position_states),
      .part_in_sliding = 0.5,
      .rates_after_impact = impact != nullptr ? impact->rates_after : nullptr,
      .tolerances = {.momentum = 1, .row = 1, .momentum_floor = 1 / d.h, .row_floor = 1 / d.h, .impulse = 1}};
  Stage::begin(setting);
}

const Vector& VelocityProblem::rates_before_impact(const Before& before,
                                                   std::span<const ContactState> position_states) {
  const BodyGroups& groups = data_->groups;
  data_->find_rates_before_impact(*before.v, *before.contact_rate_n, closing_rate_);
  meets_.assign(groups.count(), 0);
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    // The rate of a contact that was closed is zero but for rounding, which must not decide.
    const bool is_new = (*data_->contact_state_n)[c] == ContactState::gap;
    const bool meets = is_new && position_states[c] != ContactState::gap &&
                       closing_rate_[cones_[c].first_row] < 0 && system_->contacts()[c].role->law().e_n > 0;
    const auto [one, other] = groups.sides(c);
    if (meets) meets_[one] = meets_[other] = 1;
  }
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const auto [one, other] = groups.sides(c);
    if (closing_rate_[cones_[c].first_row] > 0 && meets_[one] == 0 && meets_[other] == 0)
      closing_rate_.segment(cones_[c].first_row, cones_[c].rows).setZero();
  }
  return closing_rate_;
}

void VelocityProblem::update_configuration(const Before& before,
                                           std::span<const ContactState> position_states) {
  update_matrices(position_states);
  set_rates_before_impact(rates_before_impact(before, position_states));
}

void VelocityProblem::update_matrices(std::span<const ContactState> position_states) {
  for (std::size_t c = 0; c < cones_.size(); ++c) set_candidate(c, position_states[c] != ContactState::gap);
  data_->mass.assemble(data_->q);
  data_->force_directions.align(data_->contact_G);
  data_->force_directions.find_slip_rotations(data_->contact_G, data_->dq);
  average(position_states);
}

void VelocityProblem::average(std::span<const ContactState> position_states) {
  StepData& d = *data_;
  const bool averages = !has_impact_ && d.force_directions.any() &&
                        contact_groups_.find(d.groups, *d.contact_state_n, position_states);
  set_correction_columns(
      averages ? joint_directions_.average(d.G, *d.q_n, d.t - d.h, d.groups, contact_groups_) : nullptr);
  set_mass_of_z(averages ? mean_mass_.average(d.mass, *d.q_n, d.groups, contact_groups_) : nullptr);
}

}  // namespace picus
