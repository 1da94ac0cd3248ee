#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>

#include <algorithm>

namespace picus::solvers {

SchatzmanPaoliProblem::SchatzmanPaoliProblem(StepData& data, double theta)
    : Stage(data, "position-level", KktAssembler::Rows::bilateral_and_contacts), theta_(theta) {
  const Vector zero = Vector::Zero(system_->velocity_count());
  increment_n_ = w_0_ = v_0_ = z_start_ = buffer_ = driven_rate_ = driven_acceleration_ = zero;
  set_friction(false);
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const double e = system_->contacts()[c].role->law().e_n;
    const auto found = std::ranges::find_if(gap_points_, [&](const auto& one) { return one->e == e; });
    const std::size_t place = found - gap_points_.begin();
    if (found == gap_points_.end()) {
      gap_points_.push_back(std::make_unique<GapPoint>(GapPoint{e, StagePoint(*system_), zero}));
      GapPoint& gap_point = *gap_points_.back();
      const double share = 1.0 / (1.0 + e);
      contact_points_.push_back({&gap_point.point, {.constant = &gap_point.constant, .own = share}, {}});
    }
    contact_points_[place].contacts.push_back(c);
  }
}

void SchatzmanPaoliProblem::begin(const Vector& increment_n, const Vector& acceleration_n, const Vector& mu) {
  StepData& d = *data_;
  const double h = d.h;
  increment_n_ = z_start_ = increment_n;
  driven_rate_ = *d.v_n;
  if (system_->has_driven_dofs())
    system_->prescribe(d.t - h, h, z_start_, driven_rate_, driven_acceleration_);
  w_0_ = -increment_n;
  v_0_ = increment_n / (2 * h);
  for (const auto& gap_point : gap_points_)
    gap_point->constant = -gap_point->e / (1.0 + gap_point->e) * increment_n;
  d.smooth.t = d.t - (1.0 - theta_) * h;
  if (theta_ == 0) {
    d.smooth.q = *d.q_n;
    d.smooth.evaluate(*system_);
  }
  work_ = increment_n / h;
  buffer_ = h * acceleration_n;
  d.set_speeds(driven_rate_, work_, buffer_);
  const StageSetting setting{
      .source = h * h,
      .w_0 = &w_0_,
      .mass = &d.smooth,
      .mass_moves = theta_ != 0,
      .force_point = &d.smooth,
      .dq_forces = {.own = theta_},
      .v_forces = {.constant = &v_0_, .own = 0.5 / h},
      .constraint_point = &d,
      .dq_constraints = {.own = 1.0},
      .rows = RowLevel::position,
      .contacts = RowLevel::position,
      .contact_points = contact_points_,
      .tolerances = {
          .momentum = h, .row = h, .momentum_floor = 1, .row_floor = 1, .coordinates = 1, .impulse = h}};
  Stage::begin(setting, &z_start_, &mu);
}

void SchatzmanPaoliProblem::velocity(Vector& v) const {
  v = driven_rate_;
  for (const Index dof : system_->free_dofs()) v[dof] = (z_[dof] + increment_n_[dof]) / (2 * data_->h);
}

}  // namespace picus::solvers
