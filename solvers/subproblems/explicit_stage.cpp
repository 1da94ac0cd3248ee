#include <picus/solvers/subproblems/explicit_stage.hpp>

namespace picus::solvers {

ExplicitStage::ExplicitStage(StepData& data)
    : Stage(data, "explicit stage", KktAssembler::Rows::bilateral_and_contacts),
      z_start_(Vector::Zero(system_->velocity_count())),
      rate_n_(Vector::Zero(system_->contact_row_count())) {}

void ExplicitStage::begin(const Formulas& f) {
  StepData& d = *data_;
  z_start_.setZero();
  if (f.prescribed != nullptr) {
    z_start_ = *f.prescribed - *f.v_0;
    for (const Index dof : system_->free_dofs()) z_start_[dof] = 0.0;
  }
  if (f.has_impact_law) System::multiply(system_->contact_entries(), d.contact_G, *d.v_n, rate_n_);
  d.set_speeds(*d.v_n, *f.v_0, *f.v_0);
  const StageSetting setting{
      .source = f.force_rate,
      .mass = f.forces,
      .force_point = f.forces,
      .v_forces = {.constant = f.v_forces},
      .constraint_point = &d,
      .v = {.constant = f.v_0, .own = 1.0},
      .contact_rate_n = f.has_impact_law ? &rate_n_ : nullptr,
      .part_in_sliding = 0.5,
      .tolerances = {.momentum = 1, .row = 1, .momentum_floor = 1 / d.h, .row_floor = 1 / d.h}};
  Stage::begin(setting, &z_start_);
}

}  // namespace picus::solvers
