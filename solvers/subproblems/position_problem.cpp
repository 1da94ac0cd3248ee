#include <picus/solvers/subproblems/position_problem.hpp>

namespace picus {

void PositionProblem::reset() {
  U_.setZero(system_->velocity_count());
  violation_.setZero(system_->row_count());
  row_x_.setZero();
}

void PositionProblem::begin(const PositionTerms& terms) {
  reset();
  const double h = data_->h;
  source_ = terms.has_forces ? h * h : 0.0;
  for (std::size_t c = 0; c < cones_.size(); ++c)
    cones_[c].mu = terms.has_friction ? system_->contacts()[c].role->law().mu : 0.0;
  update_multipliers(data_->lambda, source_);
  set_tolerances({.momentum = speeds(h),
                  .row = speeds(h),
                  .momentum_floor = lengths(1),
                  .row_floor = lengths(1),
                  .force = h * data_->impulse_n});
}

void PositionProblem::begin_projection(double length, bool has_contacts) {
  reset();
  source_ = 0.0;
  for (ContactCone& cone : cones_) {
    cone.mu = 0.0;
    cone.enabled = has_contacts;
  }
  update_multipliers(data_->lambda, source_);
  const double angle = length / data_->scales.length(MotionKind::translation);
  const PerKind unit{length, angle, angle};
  set_tolerances({.momentum = unit, .row = unit, .momentum_floor = lengths(1), .row_floor = lengths(1)});
}

void PositionProblem::take_smooth_motion() {
  data_->dq = data_->dq_smooth;
  data_->q = data_->q_smooth;
}

ResidualNorm PositionProblem::evaluate(Vector& r) {
  StepData& d = *data_;
  d.dq = d.dq_smooth + U_;
  retract(system_->nodes(), *d.q_n, d.dq, d.q);
  system_->evaluate_gradients(d.q, d.t, d.G);
  system_->evaluate_contact_gradients(d.q, d.contact_G);
  system_->evaluate_violation(d.q, d.t, violation_);
  system_->evaluate_gaps(*d.q_n, d.q, contact_y_);

  w_ = U_ + source_ * d.acceleration;
  d.mass_smooth.multiply(w_, residual_);
  if (source_ != 0) system_->add_forces({d.q, d.v_smooth, d.t}, -source_, residual_);
  System::add_transpose(system_->constraint_entries(), d.G, mu_, -1.0, residual_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, -1.0, residual_);
  return gather_residual(violation_, r);
}

const SparseMatrix& PositionProblem::tangent() {
  StepData& d = *data_;
  chart_.update(d.dq);
  kkt_.begin(d.mass_smooth);
  if (source_ != 0) kkt_.add_force_tangents({d.q, d.v_smooth, d.t}, source_, 0.0, chart_);
  kkt_.add_constraint_curvature(d.q, d.t, mu_, 1.0, chart_);
  kkt_.add_contact_curvature(d.q, contact_P_, chart_);
  kkt_.add_constraint_columns(d.G, row_scale_);
  kkt_.add_constraint_rows(d.G, row_scale_, chart_);
  kkt_.regularize(row_epsilon_);
  add_contacts();
  note_diagonal();
  return kkt_.matrix();
}

void PositionProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) U_[free_dofs[i]] += factor * dx[static_cast<Index>(i)];
  advance_multipliers(dx, factor);
  update_multipliers(data_->lambda, source_);
}

}  // namespace picus
