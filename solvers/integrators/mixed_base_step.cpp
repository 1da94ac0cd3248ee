#include <picus/error.hpp>
#include <picus/solvers/integrators/mixed_base_step.hpp>

#include <algorithm>

namespace picus {

MixedBaseStep::MixedBaseStep(SchemeWorkspace& scheme, const MixedOptions& own)
    : data_(scheme.data),
      base_(make_mixed_base(scheme, own)),
      inactive_(scheme.system->contacts().size(), 0),
      rate_(Vector::Zero(scheme.system->contact_row_count())),
      force_(Vector::Zero(scheme.system->velocity_count())) {}

void MixedBaseStep::start(const State& state) {
  base_->start(state);
  restarted_ = state;  // no allocation in steps
  q_free_ = state.q;
  v_free_ = state.v;
}

void MixedBaseStep::step(const State& state, std::vector<char>& active, MixedBase::Motion& motion,
                         StepReport& report) {
  // Half of a contact force acts in the following step.
  if (try_step(state, 0.5, active, motion, report)) return;
  ++report.fallbacks[place_of(Fallback::impulse)];
  // Accelerations of a motion without contact forces, as at the start of a run.
  base_->step(state, inactive_, motion, report);
  restart(state, motion);
  if (!try_step(restarted_, 0.0, active, motion, report)) {
    active = inactive_;
    base_->step(restarted_, active, motion, report);
  }
  if (base_->carries_contact_forces()) motion.forces.restart = &restart_;
}

void MixedBaseStep::restart(const State& state, const MixedBase::Motion& motion) {
  restarted_ = state;
  restarted_.acceleration = restarted_.auxiliary = motion.acceleration;
  data_.system->clear_prescribed(restarted_.auxiliary);
  restarted_.constraint_force = motion.constraint_force;
  q_free_ = data_.q;
  v_free_ = motion.v;
  restart_ = {.point = {.q = &q_free_, .v = &v_free_, .time = data_.t},
              .constraint_force = &restarted_.constraint_force};
}

bool MixedBaseStep::try_step(const State& state, double last, const std::vector<char>& active,
                             MixedBase::Motion& motion, StepReport& report) {
  try {
    base_->step(state, active, motion, report);
  } catch (const SolverError&) {
    const bool has_active = std::ranges::any_of(active, [](char one) { return one != 0; });
    if (!has_active || base_->has_impact_law()) throw;
    return false;
  }
  if (active.empty() || !base_->carries_contact_forces()) return true;
  const double work = work_of_impulses(state, last, motion);
  return work <= 0 || work <= energy_of_loads(motion);
}

double MixedBaseStep::work_of_impulses(const State& state, double last, const MixedBase::Motion& motion) {
  System::multiply(data_.system->contact_entries(), data_.contact_G, motion.v, rate_);
  double work = 0.0;
  for (const auto& block : data_.system->contacts()) {
    const auto of = [&](const Vector& rows) { return rows.segment(block.first_row, block.rows); };
    const double one = 0.5 * (last * of(state.position_multiplier) + of(motion.inner_impulse)).dot(of(rate_));
    work += std::max(one, 0.0);
  }
  return work;
}

double MixedBaseStep::energy_of_loads(const MixedBase::Motion& motion) {
  const System& system = *data_.system;
  force_.setZero();
  system.add_forces({data_.q, motion.v, data_.t}, 1.0, force_);
  System::add_transpose(system.constraint_entries(), data_.G, motion.constraint_force, 1.0, force_);
  double energy = 0.0;
  for (Index dof = 0; dof < count_of(force_); ++dof) {
    const double mass = data_.mass.diagonal(dof);
    const double impulse = data_.h * force_[dof];
    if (mass > 0) energy += 0.5 * impulse * impulse / mass;
  }
  return energy;
}

}  // namespace picus
