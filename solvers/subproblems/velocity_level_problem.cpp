#include <picus/local_dofs.hpp>
#include <picus/solvers/subproblems/velocity_level_problem.hpp>

#include <algorithm>

namespace picus {

VelocityLevelProblem::VelocityLevelProblem(StepData& data)
    : Subproblem(data, KktAssembler::Rows::bilateral_and_contacts),
      contact_rows_(*system_),
      gap_rows_(system_->make_contact_gradients()),
      response_rows_(&gap_rows_) {
  const Vector zero = Vector::Zero(system_->velocity_count());
  z_ = W_ = v_ = residual_w_ = formulas_.v_0 = formulas_.dq_0 = zero;
  inner_ = Vector::Zero(kkt_.size());
  row_rate_ = partial_rate_ = scaled_ = Vector::Zero(system_->row_count());
  contact_rate_ = restitution_ = scaled_contact_ = Vector::Zero(system_->contact_row_count());
  build_pattern();
}

void VelocityLevelProblem::build_pattern() {
  const SparseMatrix& kkt = kkt_.matrix();
  const Index n = kkt_.free_count();
  const auto for_each_entry = [&](auto&& visit) {
    for (Index c = 0; c < kkt.size; ++c) {
      for (Index e = kkt.column_start[at(c)]; e < kkt.column_start[at(c + 1)]; ++e)
        visit(at(e), kkt.row[at(e)], c);
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
  std::vector<bool> is_massless(at(kkt.size), false);
  for (Index i = 0; i < n; ++i) {
    const Index dof = system_->free_dofs()[at(i)];
    if (data_->mass.diagonal(dof) > 0) continue;
    is_massless[at(i)] = true;
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
      if (!is_massless[at(r)]) places_.square_wz[e] = matrix_.find(r, n + c);
      places_.square_ww[e] = matrix_.find(r, c);
    } else if (r < n) {
      places_.column_z[e] = zz;
      if (!is_massless[at(r)]) places_.column_w[e] = matrix_.find(r, n + c);
    } else if (c < n) {
      places_.row_z[e] = zz;
      places_.row_w[e] = matrix_.find(n + r, c);
    } else {
      places_.corner[e] = zz;
    }
    if (is_massless[at(r)]) places_.massless.push_back({e, zz});
  });
}

void VelocityLevelProblem::add(const std::vector<Index>& places) {
  const std::vector<double>& values = kkt_.matrix().values;
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (places[e] >= 0) matrix_.values[at(places[e])] += values[e];
  }
}

void VelocityLevelProblem::add_massless_rows() {
  const std::vector<double>& values = kkt_.matrix().values;
  for (const auto& [entry, place] : places_.massless)
    matrix_.values[at(place)] += massless_share_ * values[entry];
  for (const Massless& component : massless_) {
    matrix_.values[at(component.place_z)] += component.mass;
    matrix_.values[at(component.place_w)] -= (1.0 - eta_) * component.mass;
  }
}

void VelocityLevelProblem::take_speeds(const Vector& acceleration) {
  StepData& d = *data_;
  const PerKind before = d.scales.speeds(*d.v_n);
  const PerKind predicted = d.scales.speeds(d.v_smooth);
  work_ = d.h * acceleration;
  const PerKind gained = d.scales.speeds(work_);
  for (std::size_t i = 0; i < d.speed.size(); ++i)
    d.speed[i] = std::max({before[i], predicted[i], gained[i]});
}

void VelocityLevelProblem::begin(const DifferenceFormulas& formulas, const Vector& acceleration,
                                 const Vector& mu, const Vector& contact_rate_n) {
  StepData& d = *data_;
  formulas_ = formulas;
  tau_ = formulas.dq_rate / formulas.v_rate;
  eta_ = 1.0 - formulas.w_rate / tau_;
  massless_share_ = formulas.v_rate / d.h - (1.0 - eta_);
  d.acceleration = acceleration;
  d.v_smooth = formulas.v_0 + formulas.v_rate * acceleration;
  d.dq_smooth = formulas.dq_0 + formulas.dq_rate * acceleration;
  if (system_->has_driven_dofs()) {
    system_->prescribe(d.t - d.h, d.h, d.dq_smooth, d.v_smooth, d.acceleration);
  }
  z_ = formulas.v_rate * d.acceleration;
  // Of prescribed components the increments and velocities are given.
  formulas_.v_0 = d.v_smooth - z_;
  formulas_.dq_0 = d.dq_smooth - tau_ * z_;
  W_.setZero();
  row_x_ = mu.cwiseQuotient(row_scale_);
  update_multipliers(nullptr, 0.0);
  set_restitution_rates(contact_rate_n, restitution_);
  take_speeds(acceleration);
  set_tolerances({.momentum = speeds(1),
                  .row = speeds(1),
                  .momentum_floor = lengths(1 / d.h),
                  .row_floor = lengths(1 / d.h),
                  .force = d.impulse_n});
}

ResidualNorm VelocityLevelProblem::evaluate(Vector& r) {
  StepData& d = *data_;
  d.dq = formulas_.dq_0 + tau_ * z_;
  v_ = formulas_.v_0 + z_ + eta_ * W_;
  retract(system_->nodes(), *d.q_n, d.dq, d.q);
  d.mass.assemble(d.q);
  system_->evaluate_gradients(d.q, d.t, d.G);
  system_->evaluate_contact_gradients(d.q, d.contact_G);
  System::multiply(system_->constraint_entries(), d.G, v_, row_rate_);
  if (system_->is_rheonomic()) {
    system_->evaluate_partial_rates(d.q, d.t, partial_rate_);
    row_rate_ += partial_rate_;
  }
  System::multiply(system_->contact_entries(), d.contact_G, v_, contact_rate_);
  if (formulas_.closes_gaps) {
    system_->evaluate_gaps(*d.q_n, d.q, contact_y_);
    contact_y_ /= tau_;
  } else {
    contact_y_ = contact_rate_ + restitution_;
  }

  d.mass.multiply(W_, residual_w_);
  System::add_transpose(system_->constraint_entries(), d.G, mu_, -1.0, residual_w_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, -1.0, residual_w_);
  d.mass.multiply(z_, residual_);
  system_->add_forces({d.q, v_, d.t}, -formulas_.v_rate, residual_);
  System::add_transpose(system_->constraint_entries(), d.G, mu_, eta_ - 1.0, residual_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, eta_ - 1.0, residual_);

  for (const Massless& component : massless_) {
    const Index dof = system_->free_dofs()[at(component.unknown)];
    residual_[dof] += massless_share_ * residual_w_[dof];
    residual_w_[dof] = component.mass * (z_[dof] - (1.0 - eta_) * W_[dof]);
  }
  ResidualNorm norm = gather_residual(row_rate_, inner_);
  const auto free_dofs = system_->free_dofs();
  const Index n = kkt_.free_count();
  r.tail(kkt_.size()) = inner_;
  norm.where += n;
  for (Index i = 0; i < n; ++i) {
    r[i] = residual_w_[free_dofs[at(i)]];
    const double measure = std::abs(r[i]) * weight_[i];
    norm.square += measure * measure;
    // Written so that NaN comes in and stays.
    if (!(measure <= norm.worst) && !std::isnan(norm.worst)) {
      norm.worst = measure;
      norm.where = i;
    }
  }
  return norm;
}

const Gradients& VelocityLevelProblem::evaluate_gap_rows() {
  gap_rows_.values = data_->contact_G.values;
  for (const auto& block : system_->contacts()) {
    if (chart_.is_trivial(*block.element)) continue;
    const std::size_t count = at(block.rows) * at(block.dofs);
    chart_.apply(*block.element, block.rows, {gap_rows_.values.data() + block.first_source, count});
  }
  return gap_rows_;
}

const SparseMatrix& VelocityLevelProblem::tangent() {
  StepData& d = *data_;
  const Motion motion{d.q, v_, d.t};
  const double share = 1.0 - eta_;
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
  chart_.update(d.dq);
  response_rows_ = formulas_.closes_gaps ? &evaluate_gap_rows()
                                         : &contact_rows_.evaluate(d.q, v_, d.contact_G, 1.0, tau_, chart_);
  const Gradients& contact_rows = *response_rows_;

  // Derivatives with respect to z and the multipliers, rows of z and of the constraints.
  kkt_.begin(d.mass);
  kkt_.add_force_tangents(motion, formulas_.dq_rate, formulas_.v_rate, chart_);
  kkt_.add_mass_gradient(d.q, z_, tau_, chart_);
  kkt_.add_constraint_curvature(d.q, d.t, mu_, share * tau_, chart_);
  scaled_contact_ = share * tau_ * contact_P_;
  kkt_.add_contact_curvature(d.q, scaled_contact_, chart_);
  scaled_ = share * row_scale_;
  kkt_.add_constraint_columns(d.G, scaled_);
  kkt_.add_constraint_rate_rows(d.G, motion, row_scale_, tau_, chart_);
  kkt_.regularize(row_epsilon_);
  constexpr std::array<double, max_contact_rows * max_contact_rows> nothing{};
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    const ContactEquations equations = linearise(cone);
    const auto m = at(cone.rows);
    const double k = share * cone.k;
    const std::array<double, max_contact_rows> columns{k, k, k};
    kkt_.add_contact(static_cast<Index>(c), d.contact_G, {columns.data(), m}, contact_rows,
                     {equations.D.data(), m * m}, {equations.E.data(), m * m}, nullptr);
  }
  note_diagonal();
  add(places_.square_zz);
  add(places_.column_z);
  add(places_.row_z);
  add(places_.corner);

  // Rows of W with respect to z and the multipliers, and the constraints with respect to W.
  kkt_.begin();
  kkt_.add_mass_gradient(d.q, W_, tau_, chart_);
  kkt_.add_constraint_curvature(d.q, d.t, mu_, tau_, chart_);
  scaled_contact_ = tau_ * contact_P_;
  kkt_.add_contact_curvature(d.q, scaled_contact_, chart_);
  kkt_.add_constraint_columns(d.G, row_scale_);
  scaled_ = eta_ * row_scale_;
  kkt_.add_constraint_rows(d.G, scaled_);
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    ContactEquations equations = linearise(cone);
    const auto m = at(cone.rows);
    const double rate = formulas_.closes_gaps ? 0.0 : eta_;
    for (double& entry : equations.D) entry *= rate;
    const std::array<double, max_contact_rows> columns{cone.k, cone.k, cone.k};
    kkt_.add_contact(static_cast<Index>(c), d.contact_G, {columns.data(), m}, d.contact_G,
                     {equations.D.data(), m * m}, {nothing.data(), m * m}, nullptr);
  }
  add_massless_rows();
  add(places_.square_wz);
  add(places_.column_w);
  add(places_.row_w);

  kkt_.begin(d.mass);
  add(places_.square_ww);
  if (eta_ != 0) {
    kkt_.begin();
    kkt_.add_force_tangents(motion, 0.0, formulas_.v_rate * eta_, chart_);
    add(places_.square_zw);
  }
  return matrix_;
}

void VelocityLevelProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  const Index n = kkt_.free_count();
  for (Index i = 0; i < n; ++i) {
    W_[free_dofs[at(i)]] += factor * dx[i];
    z_[free_dofs[at(i)]] += factor * dx[n + i];
  }
  inner_ = dx.tail(kkt_.size());
  advance_multipliers(inner_, factor);
  update_multipliers(nullptr, 0.0);
}

void VelocityLevelProblem::contact_response(const Vector& dx, Vector& response) {
  const auto free_dofs = system_->free_dofs();
  const Index n = kkt_.free_count();
  const double rate = formulas_.closes_gaps ? 0.0 : eta_;
  work_.setZero();
  w_.setZero();
  for (Index i = 0; i < n; ++i) {
    work_[free_dofs[at(i)]] = dx[n + i];
    w_[free_dofs[at(i)]] = rate * dx[i];
  }
  System::multiply(system_->contact_entries(), data_->contact_G, w_, response);
  for (const auto& block : system_->contacts()) {
    local_v_.resize(at(block.dofs));
    gather(*block.element, work_, local_v_);
    const double* rows = response_rows_->values.data() + block.first_source;
    for (Index column = 0; column < block.dofs; ++column) {
      for (Index row = 0; row < block.rows; ++row)
        response[block.first_row + row] += rows[column * block.rows + row] * local_v_[at(column)];
    }
  }
}

std::string VelocityLevelProblem::describe(Index unknown) const {
  const Index n = kkt_.free_count();
  return Subproblem::describe(unknown < n ? unknown : unknown - n);
}

}  // namespace picus
