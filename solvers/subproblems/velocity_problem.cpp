#include <picus/solvers/subproblems/velocity_problem.hpp>

namespace picus {

void VelocityProblem::begin(const Vector& contact_rate_n, std::span<const ContactState> position_states,
                            bool has_forces) {
  StepData& d = *data_;
  source_ = has_forces ? d.h : 0.0;
  W_.setZero(system_->velocity_count());
  row_rate_.setZero(system_->row_count());
  partial_rate_.setZero(system_->row_count());
  contact_rate_.setZero(system_->contact_row_count());
  row_x_.setZero();
  update_multipliers(d.lambda, source_);
  set_restitution_rates(contact_rate_n, restitution_);
  follow(position_states);
  set_tolerances({.momentum = speeds(1),
                  .row = speeds(1),
                  .momentum_floor = lengths(1 / d.h),
                  .row_floor = lengths(1 / d.h),
                  .force = d.impulse_n});
}

void VelocityProblem::follow(std::span<const ContactState> position_states) {
  StepData& d = *data_;
  for (std::size_t c = 0; c < cones_.size(); ++c) cones_[c].enabled = position_states[c] != ContactState::gap;
  d.mass.assemble(d.q);
  if (system_->is_rheonomic()) system_->evaluate_partial_rates(d.q, d.t, partial_rate_);
}

void VelocityProblem::take_smooth_motion(const Vector& smooth_residual) {
  v_ = data_->v_smooth;
  residual_ = data_->h * smooth_residual;
}

ResidualNorm VelocityProblem::evaluate(Vector& r) {
  StepData& d = *data_;
  v_ = d.v_smooth + W_;
  System::multiply(system_->constraint_entries(), d.G, v_, row_rate_);
  row_rate_ += partial_rate_;
  System::multiply(system_->contact_entries(), d.contact_G, v_, contact_rate_);
  contact_y_ = contact_rate_ + restitution_;

  w_ = W_ + source_ * d.acceleration;
  d.mass.multiply(w_, residual_);
  if (source_ != 0) system_->add_forces({d.q, v_, d.t}, -source_, residual_);
  System::add_transpose(system_->constraint_entries(), d.G, mu_, -1.0, residual_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, -1.0, residual_);
  return gather_residual(row_rate_, r);
}

const SparseMatrix& VelocityProblem::tangent() {
  StepData& d = *data_;
  kkt_.begin(d.mass);
  if (source_ != 0) kkt_.add_force_tangents({d.q, v_, d.t}, 0.0, source_, chart_);
  kkt_.add_constraint_columns(d.G, row_scale_);
  kkt_.add_constraint_rows(d.G, row_scale_);
  kkt_.regularize(row_epsilon_);
  add_contacts();
  note_diagonal();
  return kkt_.matrix();
}

void VelocityProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) W_[free_dofs[i]] += factor * dx[static_cast<Index>(i)];
  advance_multipliers(dx, factor);
  update_multipliers(data_->lambda, source_);
}

}  // namespace picus
