#include <picus/solvers/subproblems/explicit_stage_problem.hpp>

#include <algorithm>

namespace picus {

ExplicitStageProblem::ExplicitStageProblem(StepData& data)
    : Subproblem(data, KktAssembler::Rows::bilateral_and_contacts),
      mass_(*system_),
      G_(system_->make_constraint_gradients()),
      contact_G_(system_->make_contact_gradients()) {
  v_0_ = z_ = v_ = free_impulse_ = Vector::Zero(system_->velocity_count());
  row_rate_ = partial_rate_ = Vector::Zero(system_->row_count());
  contact_rate_ = restitution_ = Vector::Zero(system_->contact_row_count());
}

void ExplicitStageProblem::begin(const Setting& s) {
  StepData& d = *data_;
  mass_.assemble(*s.q_forces);
  system_->evaluate_gradients(*s.q_forces, s.t_forces, G_);
  system_->evaluate_contact_gradients(*s.q_forces, contact_G_);
  free_impulse_.setZero();
  system_->add_forces({*s.q_forces, *s.v_forces, s.t_forces}, s.force_rate, free_impulse_);
  system_->evaluate_gradients(*s.q_rows, s.t_rows, d.G);
  system_->evaluate_contact_gradients(*s.q_rows, d.contact_G);
  if (system_->is_rheonomic()) system_->evaluate_partial_rates(*s.q_rows, s.t_rows, partial_rate_);

  v_0_ = *s.v_0;
  z_.setZero();
  if (s.prescribed != nullptr) {
    z_ = *s.prescribed - v_0_;
    for (const Index dof : system_->free_dofs()) z_[dof] = 0.0;
  }
  row_x_.setZero();
  mu_.setZero();
  restitution_.setZero();
  if (s.has_impact_law) {
    System::multiply(system_->contact_entries(), d.contact_G, *d.v_n, contact_rate_);
    set_restitution_rates(contact_rate_, restitution_);
  }
  const PerKind before = d.scales.speeds(*d.v_n);
  const PerKind given = d.scales.speeds(v_0_);
  for (std::size_t i = 0; i < d.speed.size(); ++i) d.speed[i] = std::max(before[i], given[i]);
  set_tolerances({.momentum = speeds(1),
                  .row = speeds(1),
                  .momentum_floor = lengths(1 / d.h),
                  .row_floor = lengths(1 / d.h),
                  .force = free_impulse_.lpNorm<Eigen::Infinity>()});
}

ResidualNorm ExplicitStageProblem::evaluate(Vector& r) {
  StepData& d = *data_;
  v_ = v_0_ + z_;
  System::multiply(system_->constraint_entries(), d.G, v_, row_rate_);
  row_rate_ += partial_rate_;
  System::multiply(system_->contact_entries(), d.contact_G, v_, contact_rate_);
  contact_y_ = contact_rate_ + restitution_;
  mass_.multiply(z_, residual_);
  residual_ -= free_impulse_;
  System::add_transpose(system_->constraint_entries(), G_, mu_, -1.0, residual_);
  System::add_transpose(system_->contact_entries(), contact_G_, contact_P_, -1.0, residual_);
  return gather_residual(row_rate_, r);
}

const SparseMatrix& ExplicitStageProblem::tangent() {
  StepData& d = *data_;
  kkt_.begin(mass_);
  kkt_.add_constraint_columns(G_, row_scale_);
  kkt_.add_constraint_rows(d.G, row_scale_);
  kkt_.regularize(row_epsilon_);
  constexpr std::array<double, max_contact_rows> no_columns{};
  constexpr std::array<double, max_contact_rows * max_contact_rows> nothing{};
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    const ContactEquations equations = linearise(cone);
    const auto m = at(cone.rows);
    const std::array<double, max_contact_rows> k{cone.k, cone.k, cone.k};
    const auto index = static_cast<Index>(c);
    kkt_.add_contact(index, contact_G_, {k.data(), m}, {nothing.data(), m * m}, {equations.E.data(), m * m},
                     nullptr);
    kkt_.add_contact(index, d.contact_G, {no_columns.data(), m}, {equations.D.data(), m * m},
                     {nothing.data(), m * m}, nullptr);
  }
  note_diagonal();
  return kkt_.matrix();
}

void ExplicitStageProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) z_[free_dofs[i]] += factor * dx[static_cast<Index>(i)];
  advance_multipliers(dx, factor);
  mu_ = row_scale_.cwiseProduct(row_x_);
}

}  // namespace picus
