#include <picus/error.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/analyses/option_check.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/analyses/static_increment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {

using solvers::check_option;
using solvers::StaticIncrement;
using solvers::StaticWorkspace;

namespace {

void check_options(const StaticEquilibriumOptions& o) {
  check_option(o.increments >= 1, "increments", o.increments, "at least 1");
  check_option(o.tolerance > 0 && o.tolerance <= 1e-2, "tolerance", o.tolerance, "in (0, 0.01]");
  const int max_iterations = o.max_iterations.value_or(1);
  check_option(max_iterations >= 1 && max_iterations <= 1000, "max-iterations", max_iterations,
               "in [1, 1000]");
  check_option(o.cuts >= 0 && o.cuts <= 30, "cuts", o.cuts, "in [0, 30]");
  check_option(std::isfinite(o.scaling) && o.scaling > 0, "scaling", o.scaling, "positive");
  check_option(o.regularization >= 0 && o.regularization <= 1e-4, "regularization", o.regularization,
               "in [0, 0.0001]");
  if (o.angular_velocity && !o.angular_velocity->allFinite())
    throw OptionError("angular-velocity is not finite");
}

}  // namespace

StaticEquilibrium::StaticEquilibrium(const Options& options) : options_(options) {
  check_options(options);
}

StaticEquilibrium::~StaticEquilibrium() = default;

TextEntries StaticEquilibrium::options() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  const Vec3 w = options_.angular_velocity.value_or(Vec3::Zero());
  return {
      {"increments", fmt::format("{}", options_.increments)},
      {"tolerance", fmt::format("{}", options_.tolerance)},
      {"max_iterations", options_.max_iterations ? fmt::format("{}", *options_.max_iterations) : "automatic"},
      {"cuts", fmt::format("{}", options_.cuts)},
      {"ramp_loads", yes(options_.ramp_loads)},
      {"angular_velocity", fmt::format("{} {} {}", w.x(), w.y(), w.z())},
      {"allow_free_motions", yes(options_.allow_free_motions)},
      {"scaling", fmt::format("{}", options_.scaling)},
      {"regularization", fmt::format("{}", options_.regularization)}};
}

State StaticEquilibrium::start(const System& system) {
  const ExclusiveUse use = begin_start(system);
  renew_workspace(system);
  step_warnings_.clear();
  StaticWorkspace& w = *workspace_;

  State state;
  const Index n = system.velocity_count();
  state.q = system.model().initial_configuration();
  state.v = state.acceleration = state.auxiliary = state.reaction = Vector::Zero(n);
  state.constraint_force = state.constraint_impulse = Vector::Zero(system.row_count());
  state.contact_impulse_change = state.position_multiplier_change = state.contact_impulse =
      state.contact_rate = state.contact_slip = state.position_multiplier =
          Vector::Zero(system.contact_row_count());
  state.contact_state.assign(system.contacts().size(), ContactState::gap);
  state.load_factor = options_.ramp_loads ? 0.0 : 1.0;

  measure_stiffness(state);
  StepReport report;
  try {
    StaticIncrement(w, options_, report).settle(state);
  } catch (const SolverError&) {
    refuse_incompatible_constraints(system);
    throw;
  }
  findings_ = check_constraints(system, state.q, state.time);
  return state;
}

void StaticEquilibrium::change_contacts(const State& state) {
  const ExclusiveUse use = begin_change(state);
  const double pace = workspace_->pace;
  const bool is_determined = workspace_->is_determined;
  renew_workspace(system());
  workspace_->pace = pace;
  workspace_->is_determined = is_determined;
  measure_stiffness(state);
}

void StaticEquilibrium::watch_path(const PathWatch& watch) {
  path_watch_ = watch;
  if (workspace_) workspace_->path_watch = watch;
}

void StaticEquilibrium::renew_workspace(const System& system) {
  workspace_ = std::make_unique<StaticWorkspace>(system, options_);
  workspace_->data.tolerance = options_.tolerance;
  workspace_->substep = step_size();
  workspace_->path_watch = path_watch_;
}

void StaticEquilibrium::measure_stiffness(const State& state) {
  StaticWorkspace& w = *workspace_;
  w.data.q_n = &state.q;
  w.data.t = state.time;
  w.problem.begin(state.constraint_force, state.contact_impulse, 1.0, 0.0);
  w.problem.measure_stiffness(*w.solver, options_.scaling, options_.regularization);
}

StepReport StaticEquilibrium::step(State& state) {
  const ExclusiveUse use = begin_step(state);
  StepReport report;
  report.subproblems[0].name = "static";
  State next = state;
  workspace_->warnings.clear();
  StaticIncrement(*workspace_, options_, report).advance(next, step_size());
  ++next.step;
  state = std::move(next);
  for (const std::string& warning : workspace_->warnings) {  // a repeated step warns again
    if (std::ranges::find(step_warnings_, warning) == step_warnings_.end()) step_warnings_.push_back(warning);
  }
  report.closed_contacts =
      static_cast<int>(std::count_if(state.contact_state.begin(), state.contact_state.end(),
                                     [](ContactState contact) { return contact != ContactState::gap; }));
  return report;
}

State find_equilibrium(const System& system, const StaticEquilibriumOptions& options) {
  StaticEquilibrium statics(options);
  State state = statics.start(system);
  for (int i = 0; i < options.increments; ++i) statics.step(state);
  return state;
}

}  // namespace picus
