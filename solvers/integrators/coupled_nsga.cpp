#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/coupled_step.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

namespace picus {

using solvers::CoupledStep;
using solvers::NsgaWorkspace;

CoupledNsga::CoupledNsga(const SchemeOptions& options, const CoupledNsgaOptions& own)
    : options_(options), own_(own) {
  require_valid(options_, own_);
}

CoupledNsga::~CoupledNsga() = default;

TextEntries CoupledNsga::options() const {
  return option_texts(options_, own_);
}

std::span<const StepForces> CoupledNsga::step_forces() const {
  return workspace_ ? workspace_->step_forces() : std::span<const StepForces>();
}

State CoupledNsga::start(const System& system) {
  const ExclusiveUse use = begin_start(system);
  require_newtons_law(system, name());
  workspace_ =
      std::make_unique<NsgaWorkspace>(system, options_, own_.rho_inf, system.model().initial_configuration());
  const State state = workspace_->start(findings_);
  workspace_->smooth.couple(workspace_->position.increment(), workspace_->velocity.increment());
  return state;
}

void CoupledNsga::change_contacts(const State& state) {
  const ExclusiveUse use = begin_change(state);
  require_newtons_law(system(), name());
  workspace_ = std::make_unique<NsgaWorkspace>(system(), options_, own_.rho_inf, state.q);
  workspace_->resume(state, findings_);
  workspace_->smooth.couple(workspace_->position.increment(), workspace_->velocity.increment());
}

StepReport CoupledNsga::step(State& state) {
  const ExclusiveUse use = begin_step(state);
  StepReport report = named_report(subproblem_names());
  CoupledStep(*workspace_, report).advance(state, options_.step, options_.max_iterations);
  report.closed_contacts = count_closed(state);
  return report;
}

}  // namespace picus
