#include <picus/error.hpp>
#include <picus/solvers/integrators/force_acceleration.hpp>
#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/integrators/velocity_level_scheme.hpp>

#include <fmt/format.h>

#include <limits>

namespace picus {

VelocityLevelScheme::Workspace::Workspace(const System& system_in, const SchemeOptions& options_in,
                                          VelocityLevelSolver kind, const Configuration& q)
    : SchemeWorkspace(system_in, options_in, q),
      problem(options_in, data),
      projection(options_in, data),
      lcp(kind == VelocityLevelSolver::lcp ? std::make_unique<LcpSequence>(problem) : nullptr),
      gaps_now(Vector::Zero(system_in.contact_row_count())),
      gaps_start(gaps_now),
      gaps(gaps_now),
      acceleration(Vector::Zero(system_in.velocity_count())),
      q_forces(q),
      no_constraint_impulse(Vector::Zero(system_in.row_count())),
      no_contact_impulse(gaps_now) {}

VelocityLevelScheme::VelocityLevelScheme(const SchemeOptions& options, const VelocityLevelOptions& level)
    : options_(options), level_(level) {}

void VelocityLevelScheme::build(const System& system, const Configuration& q) {
  require_newtons_law(system, name());
  if (level_.solver == VelocityLevelSolver::lcp)
    require_no_friction(system, fmt::format("{}:solver=lcp", name()));
  workspace_ = std::make_unique<Workspace>(system, options_, level_.solver, q);
}

State VelocityLevelScheme::start(const System& system) {
  const ExclusiveUse use = begin_start(system);
  build(system, system.model().initial_configuration());
  Workspace& w = *workspace_;
  State state = w.start(w.projection, findings_);
  AveragedStart* const averaged = w.averaged_start.get();
  const Motion of_forces = averaged != nullptr ? Motion{averaged->q, averaged->v, options_.step}
                                               : Motion{state.q, state.v, state.time};
  if (averaged != nullptr) averaged->constraint_force.setZero();
  solvers::solve_force_acceleration(system, w.data.mass, name(), of_forces, state);
  state.constraint_force.setZero();
  w.data.lambda.setZero();
  state.auxiliary = state.acceleration;
  system.clear_prescribed(state.auxiliary);
  choose_pivots(state);
  return state;
}

void VelocityLevelScheme::change_contacts(const State& state) {
  const ExclusiveUse use = begin_change(state);
  build(system(), state.q);
  workspace_->resume(state, findings_);
  choose_pivots(state);
}

void VelocityLevelScheme::choose_pivots(const State& state) {
  Workspace& w = *workspace_;
  w.problem.set_contact_multipliers(w.no_multiplier);
  begin(state, options_.step);
  w.problem.set_all_candidates(true);
  w.problem.choose_pivots();
}

void VelocityLevelScheme::begin(const State& state, double h) {
  Workspace& w = *workspace_;
  w.begin_step(state, h);
  begin_step(state, h, w.formulas);
  w.problem.begin(w.formulas, state.acceleration, state.constraint_impulse, state.contact_rate);
}

bool VelocityLevelScheme::choose_active_set(const State& state, double h) {
  Workspace& w = *workspace_;
  if (w.system->contacts().empty()) return false;
  retract(w.system->nodes(), state.q, w.data.dq_smooth, w.data.q);
  w.system->evaluate_gaps(state.q, state.q, w.gaps_now);
  w.system->evaluate_gaps(state.q, w.data.q, w.gaps_start);
  predict_gaps(state, h, w.gaps_now, w.gaps_start, w.gaps);
  // A body at rest would bounce if a gap of the size of rounding errors, or within the tolerance of the rates, counted
  // as open.
  bool has_active = false;
  for (std::size_t c = 0; c < w.system->contacts().size(); ++c) {
    const bool is_active = w.gaps[w.system->contacts()[c].first_row] <= w.data.closing_distance(c);
    w.problem.set_candidate(c, is_active);
    has_active |= is_active;
  }
  return has_active;
}

void VelocityLevelScheme::solve_step(const State& state, double h, StepReport& report) {
  Workspace& w = *workspace_;
  w.problem.set_contact_multipliers(w.no_multiplier);
  begin(state, h);
  const bool has_active = choose_active_set(state, h);
  const NewtonOptions newton =
      w.problem.with_other_guess(predicted_newton(options_.max_iterations, has_active));
  constexpr std::string_view what = "velocity-level problem";
  if (level_.solver == VelocityLevelSolver::full_newton) {
    solve_in_full_steps(newton, what, report);
    return;
  }
  if (!has_active || !w.lcp) {
    w.solve(w.problem, w.setting(newton, state.contact_impulse, state.contact_state), what, report, 0, [&] {
      begin(state, h);
      choose_active_set(state, h);
    });
    return;
  }
  const Profile::Scope subproblem(w.system->profile(), report.subproblems[0].name);
  const Profile::Scope clock(w.system->profile(), ProfilePart::contact_solver);
  const auto [solved, lcp] = w.lcp->solve(w.problem, *w.problem.solver, newton, w.problem.work);
  add_solve(report.subproblems[0], solved);
  if (solved.converged) return;
  if (lcp != LemkeStatus::solved) {
    throw SolverError(fmt::format(
        "step from t = {} s with h = {} s: in iteration {} Lemke's method finds no solution of the linear "
        "complementarity problem of the contacts",
        state.time, h, solved.iterations));
  }
  throw SolverError(w.describe_failure(w.problem, what, solved));
}

void VelocityLevelScheme::solve_in_full_steps(NewtonOptions newton, std::string_view what,
                                              StepReport& report) {
  Workspace& w = *workspace_;
  newton.full_steps = newton.max_iterations;
  newton.watchdog = std::numeric_limits<int>::max();
  const Profile::Scope subproblem(w.system->profile(), report.subproblems[0].name);
  const NewtonReport solved = solve_newton(w.problem, *w.problem.solver, newton, w.problem.work);
  add_solve(report.subproblems[0], solved);
  if (!solved.converged) throw SolverError(w.describe_failure(w.problem, what, solved));
}

SubproblemNames VelocityLevelScheme::subproblem_names() const {
  return {"velocity-level", level_.projects ? "projection" : ""};
}

StepReport VelocityLevelScheme::step(State& state) {
  const ExclusiveUse use = TimeIntegrator::begin_step(state);
  Workspace& w = *workspace_;
  const double h = options_.step;
  StepReport report = named_report(subproblem_names());
  solve_step(state, h, report);
  if (level_.projects) {
    w.q_forces = w.data.q;
    w.columns = w.data.G;
    w.contact_columns = w.data.contact_G;
    project(h, report);
  }
  w.refuse_fault(w.data.q);
  commit(state);
  report.closed_contacts = count_closed(state);
  return report;
}

void VelocityLevelScheme::project(double h, StepReport& report) {
  Workspace& w = *workspace_;
  w.data.dq_smooth = w.data.dq;
  w.data.smooth.mass.assemble(w.data.q);
  w.solve(w.projection, w.setting({.max_iterations = options_.max_iterations}), "projection", report, 1,
          [&] { w.projection.begin_projection(ProjectionUnit::speed, h, false); });
}

std::span<const StepForces> VelocityLevelScheme::step_forces() const {
  return workspace_ ? std::span(&workspace_->forces, 1) : std::span<const StepForces>();
}

void VelocityLevelScheme::note_forces() {
  Workspace& w = *workspace_;
  StepForces& forces = w.forces;
  forces = quadrature(w.data.h);
  forces.restart = w.restart();
  forces.ends_massless_components = true;
  forces.constraint_columns = &w.data.G;
  forces.contact_columns = &w.data.contact_G;
  if (level_.projects) {
    w.v_forces = w.problem.velocity();
    forces.points[0] = {.q = &w.q_forces, .v = &w.v_forces, .time = w.data.t};
    forces.predicted_increment = &w.data.dq_smooth;
    forces.constraint_columns = &w.columns;
    forces.contact_columns = &w.contact_columns;
  }
  const double c = w.formulas.smooth.force_rate;
  forces.points[0].impulse = &w.problem.force_impulse();
  forces.points[0].unit = c;
  if (!w.formulas.impulses_accelerate) return;
  w.constraint_force = w.problem.bilateral_multipliers() / c;
  w.contact_force = w.problem.contact_multipliers() / c;
  forces.constraint_force = &w.constraint_force;
  forces.contact_force = &w.contact_force;
  forces.constraint_impulse = &w.no_constraint_impulse;
  forces.contact_impulse = &w.no_contact_impulse;
}

void VelocityLevelScheme::commit(State& state) {
  Workspace& w = *workspace_;
  note_forces();
  const System& system = *w.system;
  state.contact_rate = w.problem.contact_rate();
  w.acceleration = w.problem.acceleration();
  advance_auxiliary(state.acceleration, w.acceleration, state.auxiliary);
  system.clear_prescribed(state.auxiliary);
  state.acceleration = w.acceleration;
  state.v = w.problem.velocity();
  state.constraint_impulse = w.problem.bilateral_multipliers();
  state.contact_impulse = w.problem.contact_multipliers();
  state.reaction = w.problem.reaction();
  w.commit(state, w.data.q, w.problem.contact_states(), w.problem.contact_states());
}

}  // namespace picus
