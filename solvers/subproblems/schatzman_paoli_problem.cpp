#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>

#include <algorithm>

namespace picus {

SchatzmanPaoliProblem::SchatzmanPaoliProblem(StepData& data, double theta)
    : Subproblem(data, KktAssembler::Rows::bilateral_and_contacts),
      theta_(theta),
      chart_theta_(*system_),
      G_theta_(data.G) {
  increment_n_ = increment_theta_ = v_ = driven_rate_ = driven_acceleration_ =
      Vector::Zero(system_->velocity_count());
  violation_ = Vector::Zero(system_->row_count());
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    cones_[c].mu = 0.0;
    const double e = system_->contacts()[c].role->law().e_n;
    auto meeting = std::ranges::find_if(meetings_, [&](const Meeting& one) { return one.e == e; });
    if (meeting == meetings_.end()) {
      meetings_.push_back({e, increment_n_, data.q, Chart(*system_), contact_P_, {}});
      meeting = meetings_.end() - 1;
    }
    meeting->contacts.push_back(c);
  }
}

void SchatzmanPaoliProblem::begin(const Vector& increment_n, const Vector& acceleration_n, const Vector& mu) {
  StepData& d = *data_;
  increment_n_ = increment_n;
  d.dq = increment_n;
  driven_rate_ = *d.v_n;
  if (system_->has_driven_dofs())
    system_->prescribe(d.t - d.h, d.h, d.dq, driven_rate_, driven_acceleration_);
  row_x_ = mu.cwiseQuotient(row_scale_);
  update_multipliers(nullptr, 0.0);

  const PerKind before = d.scales.speeds(driven_rate_);
  work_ = increment_n / d.h;
  const PerKind on_the_way = d.scales.speeds(work_);
  work_ = d.h * acceleration_n;
  const PerKind gained = d.scales.speeds(work_);
  for (std::size_t i = 0; i < d.speed.size(); ++i)
    d.speed[i] = std::max({before[i], on_the_way[i], gained[i]});
  set_tolerances({.momentum = speeds(d.h),
                  .row = speeds(d.h),
                  .momentum_floor = lengths(1),
                  .row_floor = lengths(1),
                  .force = d.h * d.impulse_n});
}

ResidualNorm SchatzmanPaoliProblem::evaluate(Vector& r) {
  StepData& d = *data_;
  const double h = d.h;
  retract(system_->nodes(), *d.q_n, d.dq, d.q);
  increment_theta_ = theta_ * d.dq;
  retract(system_->nodes(), *d.q_n, increment_theta_, d.smooth.q);
  const double t_theta = d.t - (1.0 - theta_) * h;
  v_ = (d.dq + increment_n_) / (2 * h);

  system_->evaluate_violation(d.q, d.t, violation_);
  system_->evaluate_gradients(d.q, d.t, d.G);
  system_->evaluate_gradients(d.smooth.q, t_theta, G_theta_);
  std::fill(d.contact_G.values.begin(), d.contact_G.values.end(), 0.0);
  contact_y_.setZero();
  for (Meeting& meeting : meetings_) {
    meeting.increment = (d.dq - meeting.e * increment_n_) / (1.0 + meeting.e);
    retract(system_->nodes(), *d.q_n, meeting.increment, meeting.q);
    for (const std::size_t c : meeting.contacts) {
      const auto& block = system_->contacts()[c];
      block.role->gap(*d.q_n, meeting.q, {contact_y_.data() + block.first_row, at(block.rows)});
      block.role->gradient(meeting.q,
                           {d.contact_G.values.data() + block.first_source, at(block.rows * block.dofs)});
    }
  }

  d.smooth.mass.assemble(d.smooth.q);
  w_ = d.dq - increment_n_;
  d.smooth.mass.multiply(w_, residual_);
  system_->add_forces({d.smooth.q, v_, t_theta}, -h * h, residual_);
  System::add_transpose(system_->constraint_entries(), G_theta_, mu_, -1.0, residual_);
  System::add_transpose(system_->contact_entries(), d.contact_G, contact_P_, -1.0, residual_);
  return gather_residual(violation_, r);
}

const SparseMatrix& SchatzmanPaoliProblem::tangent() {
  StepData& d = *data_;
  const double h = d.h;
  const double t_theta = d.t - (1.0 - theta_) * h;
  chart_.update(d.dq);
  chart_theta_.update(increment_theta_);
  kkt_.begin(d.smooth.mass);
  kkt_.add_force_tangents({d.smooth.q, v_, t_theta}, h * h * theta_, h / 2, chart_theta_);
  kkt_.add_mass_gradient(d.smooth.q, w_, theta_, chart_theta_);
  kkt_.add_constraint_curvature(d.smooth.q, t_theta, mu_, theta_, chart_theta_);
  kkt_.add_constraint_columns(G_theta_, row_scale_);
  kkt_.add_constraint_rows(d.G, row_scale_, chart_);
  kkt_.regularize(row_epsilon_);
  for (Meeting& meeting : meetings_) {
    const double share = 1.0 / (1.0 + meeting.e);
    meeting.chart.update(meeting.increment);
    for (const std::size_t c : meeting.contacts) {
      const ContactCone& cone = cones_[c];
      ContactEquations equations = linearise(cone);
      for (double& entry : equations.D) entry *= share;
      const auto m = at(cone.rows);
      const std::array<double, max_contact_rows> k{cone.k, cone.k, cone.k};
      kkt_.add_contact(static_cast<Index>(c), d.contact_G, {k.data(), m}, d.contact_G,
                       {equations.D.data(), m * m}, {equations.E.data(), m * m}, &meeting.chart);
      for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i)
        meeting.P[i] = share * contact_P_[i];
    }
    kkt_.add_contact_curvature(meeting.q, meeting.P, meeting.chart);
  }
  note_diagonal();
  return kkt_.matrix();
}

void SchatzmanPaoliProblem::contact_response(const Vector& dx, Vector& response) {
  const auto free_dofs = system_->free_dofs();
  response.setZero(system_->contact_row_count());
  Vector motion = response;
  for (Meeting& meeting : meetings_) {
    work_.setZero(system_->velocity_count());
    for (std::size_t i = 0; i < free_dofs.size(); ++i)
      work_[free_dofs[i]] = dx[static_cast<Index>(i)] / (1.0 + meeting.e);
    meeting.chart.push_forward(work_);
    System::multiply(system_->contact_entries(), data_->contact_G, work_, motion);
    for (const std::size_t c : meeting.contacts) {
      const auto& block = system_->contacts()[c];
      response.segment(block.first_row, block.rows) = motion.segment(block.first_row, block.rows);
    }
  }
}

void SchatzmanPaoliProblem::advance(const Vector& dx, double factor) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i)
    data_->dq[free_dofs[i]] += factor * dx[static_cast<Index>(i)];
  advance_multipliers(dx, factor);
  update_multipliers(nullptr, 0.0);
}

void SchatzmanPaoliProblem::velocity(Vector& v) const {
  v = driven_rate_;
  for (const Index dof : system_->free_dofs()) v[dof] = (data_->dq[dof] + increment_n_[dof]) / (2 * data_->h);
}

}  // namespace picus
