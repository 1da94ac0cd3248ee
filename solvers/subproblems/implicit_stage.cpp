#include <picus/solvers/subproblems/implicit_stage.hpp>

namespace picus {
namespace {

/// A prescribed acceleration that is not given is, at a stage at t_n, a forward difference of the rate over this
/// fraction of the step: its error is (w dt)^2/12 = 1e-7 for w h = 1, and the rate is not evaluated for times before a
/// start.
constexpr double short_part = 1e-3;

}  // namespace

ImplicitStage::ImplicitStage(StepData& data, StagePoint& point, std::string_view name,
                             KktAssembler::Rows rows)
    : Stage(data, name, rows), point_(&point) {
  z_start_ = velocity_increment_ = prescribed_ = formulas_.v_0 = formulas_.dq_0 =
      Vector::Zero(system_->velocity_count());
  mu_start_ = Vector::Zero(system_->row_count());
}

StageSetting ImplicitStage::predict_stage(const StageFormulas& formulas, const Vector& acceleration,
                                          const Vector& velocity_increment) {
  StepData& d = *data_;
  formulas_ = formulas;
  StageFormulas& f = formulas_;
  const StageMap v{&f.v_0, f.v_own, f.v_other, y_};
  const StageMap dq{&f.dq_0, f.dq_own, f.dq_other, y_};
  point_->t = d.t;
  z_start_ = f.force_rate * acceleration;
  v.evaluate(z_start_, work_);
  if (system_->has_driven_dofs()) {
    const double time = f.time > 0 ? f.time : -short_part * d.h;
    dq.evaluate(z_start_, point_->dq);
    prescribed_ = acceleration;
    system_->prescribe(d.t - time, time, point_->dq, work_, prescribed_);
    if (f.time == 0) system_->clear_prescribed(point_->dq);
    for (Index dof = 0; dof < z_start_.size(); ++dof) {
      if (system_->free_index()[dof] >= 0) continue;
      const double z = f.force_rate * prescribed_[dof];
      const double y = y_ != nullptr ? (*y_)[dof] : 0.0;
      z_start_[dof] = z;
      f.v_0[dof] = work_[dof] - f.v_own * z - f.v_other * y;
      f.dq_0[dof] = point_->dq[dof] - f.dq_own * z - f.dq_other * y;
    }
  }
  d.set_speeds(*d.v_n, work_, velocity_increment);
  return {.source = f.force_rate,
          .mass = point_,
          .mass_moves = true,
          .force_point = point_,
          .dq_forces = dq,
          .v_forces = v,
          .constraint_point = point_,
          .dq_constraints = dq,
          .v = v};
}

void ImplicitStage::begin(const StageFormulas& formulas, const Vector& acceleration, const Vector& lambda) {
  const StepData& d = *data_;
  velocity_increment_ = d.h * acceleration;
  mu_start_ = formulas.force_rate * lambda;
  StageSetting setting = predict_stage(formulas, acceleration, velocity_increment_);
  setting.tolerances = {.momentum = 1,
                        .row = 1,
                        .momentum_floor = 1 / d.h,
                        .row_floor = 1 / d.h,
                        .impulse = formulas.force_rate / d.h};
  Stage::begin(setting, &z_start_, &mu_start_);
}

}  // namespace picus
