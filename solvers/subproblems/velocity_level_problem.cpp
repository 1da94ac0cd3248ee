#include <picus/solvers/subproblems/velocity_level_problem.hpp>

#include <algorithm>
#include <cmath>

namespace picus {

VelocityLevelProblem::VelocityLevelProblem(StepData& data)
    : ImplicitStage(data, data, "velocity-level", KktAssembler::Rows::bilateral_and_contacts) {
  W_ = residual_w_ = velocity_increment_ = Vector::Zero(system_->velocity_count());
  inner_ = Vector::Zero(kkt_.size());
  response_to_w_ = scaled_contact_ = Vector::Zero(system_->contact_row_count());
  set_other(&W_);
  build_pattern();
  to_last_velocity_ = Vector::Zero(size());
}

void VelocityLevelProblem::build_pattern() {
  const SparseMatrix& kkt = kkt_.matrix();
  const Index n = kkt_.free_count();
  const auto for_each_entry = [&](auto&& visit) {
    for (Index c = 0; c < kkt.size; ++c) {
      for (Index e = kkt.column_start[c]; e < kkt.column_start[c + 1]; ++e) visit(e, kkt.row[e], c);
    }
  };
  // W first, then the layout of kkt_: its entry (r, c) is at (n + r, n + c).
  PatternBuilder builder(n + kkt.size);
  for_each_entry([&](std::size_t, Index r, Index c) {
    builder.add(n + r, n + c);
    if (r < n) builder.add(r, n + c);
    if (c < n) builder.add(n + r, c);
    if (r < n && c < n) builder.add(r, c);
  });
  matrix_ = builder.compress();
  for (auto* places : {&places_.square_zz, &places_.square_zw, &places_.square_wz, &places_.square_ww,
                       &places_.column_z, &places_.column_w, &places_.row_z, &places_.row_w, &places_.corner})
    places->assign(kkt.row.size(), -1);
  std::vector<bool> is_massless(kkt.size, false);
  for (Index i = 0; i < n; ++i) {
    const Index dof = system_->free_dofs()[i];
    if (data_->mass.diagonal(dof) > 0) continue;
    is_massless[i] = true;
    massless_.push_back({.unknown = i,
                         .mass = data_->scales.mass(dof),
                         .place_z = matrix_.find(i, n + i),
                         .place_w = matrix_.find(i, i)});
  }
  for_each_entry([&](std::size_t e, Index r, Index c) {
    const Index zz = matrix_.find(n + r, n + c);
    if (r < n && c < n) {
      places_.square_zz[e] = zz;
      places_.square_zw[e] = matrix_.find(n + r, c);
      if (!is_massless[r]) places_.square_wz[e] = matrix_.find(r, n + c);
      places_.square_ww[e] = matrix_.find(r, c);
    } else if (r < n) {
      places_.column_z[e] = zz;
      if (!is_massless[r]) places_.column_w[e] = matrix_.find(r, n + c);
    } else if (c < n) {
      places_.row_z[e] = zz;
      places_.row_w[e] = matrix_.find(n + r, c);
    } else {
      places_.corner[e] = zz;
    }
    if (is_massless[r]) places_.massless.push_back({e, zz});
  });
}

void VelocityLevelProblem::add(const std::vector<Index>& places) {
  const std::vector<double>& values = kkt_.matrix().values;
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (places[e] >= 0) matrix_.values[places[e]] += values[e];
  }
}

void VelocityLevelProblem::add_massless_rows() {
  const std::vector<double>& values = kkt_.matrix().values;
  for (const auto& [entry, place] : places_.massless)
    matrix_.values[place] += massless_share_ * values[entry];
  for (const Massless& component : massless_) {
    matrix_.values[component.place_z] += component.mass;
    matrix_.values[component.place_w] -= (1.0 - eta_) * component.mass;
  }
}

void VelocityLevelProblem::begin(const DifferenceFormulas& formulas, const Vector& acceleration,
                                 const Vector& mu, const Vector& contact_rate_n) {
  StepData& d = *data_;
  tau_ = formulas.smooth.dq_own;
  eta_ = 1.0 - formulas.w_rate / tau_;
  impulses_accelerate_ = formulas.impulses_accelerate;
  closes_gaps_ = formulas.closes_gaps;
  massless_share_ = formulas.smooth.force_rate / d.h - (1.0 - eta_);
  W_.setZero();
  velocity_increment_ = d.h * acceleration;
  StageSetting s = predict_stage(formulas.smooth, acceleration, velocity_increment_);
  s.dq_constraints.evaluate(z_start_, d.dq_smooth);
  s.v.other = s.v_forces.other = eta_;
  s.multiplier_factor = 1.0 - eta_;
  s.contact_rate_n = &contact_rate_n;
  s.part_in_sliding = 0.5;
  if (closes_gaps_) {
    s.contacts = RowLevel::position;
    s.gap_unit = tau_;
  }
  s.tolerances = {.momentum = 1,
                  .row = 1,
                  .momentum_floor = 1 / d.h,
                  .row_floor = 1 / d.h,
                  .coordinates = closes_gaps_ ? 1 / tau_ : 0.0,
                  .impulse = 1};
  Stage::begin(s, &z_start_, &mu);
  s.v.evaluate(z_start_, v_);
  const auto free_dofs = system_->free_dofs();
  const Index n = kkt_.free_count();
  for (Index i = 0; i < n; ++i) {
    to_last_velocity_[i] = (*d.v_n)[free_dofs[i]] - v_[free_dofs[i]];
    to_last_velocity_[n + i] = (1.0 - eta_) * to_last_velocity_[i];
  }
}

NewtonOptions VelocityLevelProblem::with_other_guess(NewtonOptions options) const {
  if (system_->row_count() == 0) return options;
  options.other_guess = &to_last_velocity_;
  // Without the impulses of joints light parts fly off in the step, which strains beams by whole elements.
  options.poor_guess_residual = 1.0 / data_->tolerance;
  return options;
}

void VelocityLevelProblem::evaluate_jump_rows() {
  const StepData& d = *data_;
  d.mass.multiply(W_, residual_w_);
  System::add_transpose(system_->constraint_entries(), d.G, mu_, -1.0, residual_w_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, -1.0, residual_w_);
  for (const Massless& component : massless_) {
    const Index dof = system_->free_dofs()[component.unknown];
    residual_[dof] += massless_share_ * residual_w_[dof];
    residual_w_[dof] = component.mass * (z_[dof] - (1.0 - eta_) * W_[dof]);
  }
}

ResidualNorm VelocityLevelProblem::evaluate(Vector& r) {
  const Profile::Scope clock(system_->profile(), ProfilePart::evaluation);
  evaluate_equations();
  if (closes_gaps_) System::multiply(system_->contact_entries(), data_->contact_G, v_, contact_rate_);
  evaluate_jump_rows();
  ResidualNorm norm = gather_residual(row_value_, inner_);
  const auto free_dofs = system_->free_dofs();
  const Index n = kkt_.free_count();
  r.tail(kkt_.size()) = inner_;
  norm.where += n;
  for (Index i = 0; i < n; ++i) {
    r[i] = residual_w_[free_dofs[i]];
    const double measure = std::abs(r[i]) * weight_[i];
    norm.square += measure * measure;
    // Written such that NaN is propagated.
    if (!(measure <= norm.worst) && !std::isnan(norm.worst)) {
      norm.worst = measure;
      norm.where = i;
    }
  }
  return norm;
}

/// Adds the derivatives of the rows of W with respect to z and the multipliers.
void VelocityLevelProblem::add_jump_derivatives() {
  StepData& d = *data_;
  kkt_.begin();
  kkt_.add_mass_gradient(d.q, W_, tau_, d.chart);
  kkt_.add_constraint_geometric_stiffness(d.q, d.t, mu_, tau_, d.chart);
  if (contact_row_content_ != ContactRows::motion) {
    scaled_contact_ = tau_ * contact_P_;
    kkt_.add_contact_geometric_stiffness(d.q, scaled_contact_, d.chart);
  }
  kkt_.add_constraint_columns(d.G, row_scale_);
  constexpr std::array<double, max_contact_rows * max_contact_rows> nothing{};
  for (Index c = 0; c < count_of(cones_); ++c) {
    const std::size_t m = cones_[c].rows;
    const double k = cones_[c].k;
    std::array<double, max_contact_rows> columns;
    columns.fill(k);
    kkt_.add_contact(c, d.contact_G, {columns.data(), m}, d.contact_G, {nothing.data(), m * m},
                     {nothing.data(), m * m}, nullptr);
  }
  add(places_.square_wz);
  add(places_.column_w);
}

const SparseMatrix& VelocityLevelProblem::tangent() {
  const Profile::Scope clock(system_->profile(), ProfilePart::assembly);
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
  // Derivatives of the rows of z, constraints and contacts with respect to z and the multipliers, then to W.
  ImplicitStage::tangent();
  add(places_.square_zz);
  add(places_.column_z);
  add(places_.row_z);
  add(places_.corner);
  if (eta_ != 0) {
    coupling();
    add(places_.square_zw);
    add(places_.row_w);
  }
  add_jump_derivatives();
  add_massless_rows();
  kkt_.begin(data_->mass);
  add(places_.square_ww);
  return matrix_;
}

void VelocityLevelProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  const Index n = kkt_.free_count();
  for (Index i = 0; i < n; ++i) W_[free_dofs[i]] += factor * dx[i];
  inner_ = dx.tail(kkt_.size());
  ImplicitStage::advance(inner_, factor);
}

void VelocityLevelProblem::contact_response(const Vector& dx, Vector& response) {
  inner_ = dx.tail(kkt_.size());
  ImplicitStage::contact_response(inner_, response);
  contact_response_to_other(dx, response_to_w_);  // the first unknowns in dx are W
  response += response_to_w_;
}

std::string VelocityLevelProblem::describe(Index unknown) const {
  const Index n = kkt_.free_count();
  return Subproblem::describe(unknown < n ? unknown : unknown - n);
}

}  // namespace picus
