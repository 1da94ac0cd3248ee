#include <picus/error.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/solvers/integrators/decoupled_step.hpp>

#include <fmt/format.h>

namespace picus {

using solvers::DecoupledStep;
using solvers::NsgaWorkspace;

namespace {

constexpr std::array<std::string_view, 4> variant_names = {"ds", "dsn", "ds-np", "ds-a"};

NsgaWorkspace::SmoothLevel level_of(DecoupledVariant variant) {
  using enum NsgaWorkspace::SmoothLevel;
  return variant == DecoupledVariant::at_acceleration_level ? acceleration : velocity;
}

}  // namespace

DecoupledNsga::DecoupledNsga(const SchemeOptions& options, const DecoupledNsgaOptions& own)
    : options_(options), own_(own) {
  require_valid(options_, own_);
}

DecoupledNsga::~DecoupledNsga() = default;

std::string_view DecoupledNsga::name() const {
  return variant_names[place_of(own_.variant)];
}

TextEntries DecoupledNsga::options() const {
  return option_texts(options_, own_);
}

std::span<const StepForces> DecoupledNsga::step_forces() const {
  return workspace_ ? workspace_->step_forces() : std::span<const StepForces>();
}

State DecoupledNsga::start(const System& system) {
  const ExclusiveUse use = begin_start(system);
  if (own_.variant == DecoupledVariant::at_acceleration_level) require_newtons_law(system, name());
  workspace_ = std::make_unique<NsgaWorkspace>(
      system, options_, own_.rho_inf, system.model().initial_configuration(), level_of(own_.variant));
  return workspace_->start(findings_);
}

void DecoupledNsga::change_contacts(const State& state) {
  const ExclusiveUse use = begin_change(state);
  if (own_.variant == DecoupledVariant::at_acceleration_level) require_newtons_law(this->system(), name());
  workspace_ =
      std::make_unique<NsgaWorkspace>(system(), options_, own_.rho_inf, state.q, level_of(own_.variant));
  workspace_->resume(state, findings_);
}

StepReport DecoupledNsga::step(State& state) {
  const ExclusiveUse use = begin_step(state);
  StepReport report = named_report(subproblem_names());
  DecoupledStep(*workspace_, own_, report).advance(state);
  report.closed_contacts = count_closed(state);
  return report;
}

const LinearSolverStatistics& DecoupledNsga::linear_statistics(int subproblem) const {
  if (!workspace_) throw OptionError("there are no statistics before start()");
  const std::array solvers = {workspace_->smooth.solver.get(), workspace_->position.solver.get(),
                              workspace_->velocity.solver.get()};
  if (subproblem < 0 || subproblem > 2)
    throw OptionError(fmt::format("there is no sub-problem {}", subproblem));
  return solvers[subproblem]->statistics();
}

}  // namespace picus
