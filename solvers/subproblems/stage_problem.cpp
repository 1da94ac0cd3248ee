#include <picus/solvers/subproblems/stage_problem.hpp>

#include <algorithm>

namespace picus {
namespace {

/// A prescribed acceleration that is not given is the mean over this before a stage at t_n, s.
constexpr double short_time = 1e-6;

}  // namespace

StageProblem::StageProblem(StepData& data)
    : Subproblem(data, KktAssembler::Rows::bilateral_and_contacts), contact_rows_(*system_) {
  nothing_ = z_ = v_ = formulas_.v_0 = formulas_.dq_0 = Vector::Zero(system_->velocity_count());
  row_rate_ = partial_rate_ = scaled_row_ = Vector::Zero(system_->row_count());
  scaled_contact_ = Vector::Zero(system_->contact_row_count());
}

void StageProblem::take_speeds(const Vector& acceleration) {
  StepData& d = *data_;
  const PerKind before = d.scales.speeds(*d.v_n);
  const PerKind predicted = d.scales.speeds(v_);
  work_ = d.h * acceleration;
  const PerKind gained = d.scales.speeds(work_);
  for (std::size_t i = 0; i < d.speed.size(); ++i)
    d.speed[i] = std::max({before[i], predicted[i], gained[i]});
}

void StageProblem::begin(const StageFormulas& formulas, const Vector& acceleration, const Vector& lambda,
                         const Vector* y) {
  StepData& d = *data_;
  formulas_ = formulas;
  const StageFormulas& f = formulas_;
  const Vector& other = y != nullptr ? *y : nothing_;
  d.acceleration = acceleration;
  z_ = f.force_rate * acceleration;
  v_ = f.v_0 + f.v_own * z_ + f.v_other * other;
  d.dq = f.dq_0 + f.dq_own * z_ + f.dq_other * other;
  if (system_->has_driven_dofs()) {
    const double time = f.time > 0 ? f.time : short_time;
    system_->prescribe(d.t - time, time, d.dq, v_, d.acceleration);
    if (f.time == 0) system_->clear_prescribed(d.dq);
    z_ = f.force_rate * d.acceleration;
    // Of prescribed components increments and velocities are given.
    formulas_.v_0 = v_ - f.v_own * z_ - f.v_other * other;
    formulas_.dq_0 = d.dq - f.dq_own * z_ - f.dq_other * other;
  }
  mu_ = f.force_rate * lambda;
  row_x_ = mu_.cwiseQuotient(row_scale_);
  take_speeds(acceleration);
  set_tolerances({.momentum = speeds(1),
                  .row = speeds(1),
                  .momentum_floor = lengths(1 / d.h),
                  .row_floor = lengths(1 / d.h),
                  .force = f.force_rate / d.h * d.impulse_n});
}

ResidualNorm StageProblem::evaluate(Vector& r, const Vector& y) {
  StepData& d = *data_;
  const StageFormulas& f = formulas_;
  d.dq = f.dq_0 + f.dq_own * z_ + f.dq_other * y;
  v_ = f.v_0 + f.v_own * z_ + f.v_other * y;
  retract(system_->nodes(), *d.q_n, d.dq, d.q);
  d.mass.assemble(d.q);
  system_->evaluate_gradients(d.q, d.t, d.G);
  system_->evaluate_contact_gradients(d.q, d.contact_G);
  System::multiply(system_->constraint_entries(), d.G, v_, row_rate_);
  if (system_->is_rheonomic()) {
    system_->evaluate_partial_rates(d.q, d.t, partial_rate_);
    row_rate_ += partial_rate_;
  }
  System::multiply(system_->contact_entries(), d.contact_G, v_, contact_y_);

  d.mass.multiply(z_, residual_);
  system_->add_forces({d.q, v_, d.t}, -f.force_rate, residual_);
  System::add_transpose(system_->constraint_entries(), d.G, mu_, -1.0, residual_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, -1.0, residual_);
  return gather_residual(row_rate_, r);
}

void StageProblem::add_derivatives(double v_rate, double dq_rate) {
  StepData& d = *data_;
  const Motion motion{d.q, v_, d.t};
  kkt_.add_force_tangents(motion, formulas_.force_rate * dq_rate, formulas_.force_rate * v_rate, chart_);
  kkt_.add_mass_gradient(d.q, z_, dq_rate, chart_);
  kkt_.add_constraint_curvature(d.q, d.t, mu_, dq_rate, chart_);
  scaled_contact_ = dq_rate * contact_P_;
  kkt_.add_contact_curvature(d.q, scaled_contact_, chart_);
  // Rows -k (v_rate G + dq_rate d(G v)/dq T), made of G + dq_rate d(G v)/dq T and the rest.
  kkt_.add_constraint_rate_rows(d.G, motion, row_scale_, dq_rate, chart_);
  if (v_rate != 1) {
    scaled_row_ = (v_rate - 1) * row_scale_;
    kkt_.add_constraint_rows(d.G, scaled_row_);
  }
  const Gradients& rows = contact_rows_.evaluate(d.q, v_, d.contact_G, v_rate, dq_rate, chart_);
  constexpr std::array<double, max_contact_rows> no_columns{};
  constexpr std::array<double, max_contact_rows * max_contact_rows> nothing{};
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    const ContactEquations equations = linearise(cone);
    const auto m = at(cone.rows);
    kkt_.add_contact(static_cast<Index>(c), rows, {no_columns.data(), m}, {equations.D.data(), m * m},
                     {nothing.data(), m * m}, nullptr);
  }
}

const SparseMatrix& StageProblem::tangent() {
  StepData& d = *data_;
  chart_.update(d.dq);
  kkt_.begin(d.mass);
  add_derivatives(formulas_.v_own, formulas_.dq_own);
  kkt_.add_constraint_columns(d.G, row_scale_);
  kkt_.regularize(row_epsilon_);
  constexpr std::array<double, max_contact_rows * max_contact_rows> nothing{};
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    const ContactEquations equations = linearise(cone);
    const auto m = at(cone.rows);
    const std::array<double, max_contact_rows> k{cone.k, cone.k, cone.k};
    kkt_.add_contact(static_cast<Index>(c), d.contact_G, {k.data(), m}, {nothing.data(), m * m},
                     {equations.E.data(), m * m}, nullptr);
  }
  note_diagonal();
  return kkt_.matrix();
}

const SparseMatrix& StageProblem::coupling() {
  chart_.update(data_->dq);
  kkt_.begin();
  add_derivatives(formulas_.v_other, formulas_.dq_other);
  return kkt_.matrix();
}

const SparseMatrix& StageProblem::coupling_with_held_multipliers() {
  hold_multipliers_ = true;
  const SparseMatrix& matrix = coupling();
  hold_multipliers_ = false;
  return matrix;
}

void StageProblem::respond(double v_rate, double dq_rate, const Vector& dx, Vector& response) {
  chart_.update(data_->dq);
  const Gradients& rows = contact_rows_.evaluate(data_->q, v_, data_->contact_G, v_rate, dq_rate, chart_);
  work_.setZero(system_->velocity_count());
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) work_[free_dofs[i]] = dx[static_cast<Index>(i)];
  System::multiply(system_->contact_entries(), rows, work_, response);
}

void StageProblem::contact_response(const Vector& dx, Vector& response) {
  respond(formulas_.v_own, formulas_.dq_own, dx, response);
}

void StageProblem::contact_response_to_other(const Vector& dx, Vector& response) {
  respond(formulas_.v_other, formulas_.dq_other, dx, response);
}

void StageProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) z_[free_dofs[i]] += factor * dx[static_cast<Index>(i)];
  advance_multipliers(dx, factor);
  mu_ = row_scale_.cwiseProduct(row_x_);
}

}  // namespace picus
