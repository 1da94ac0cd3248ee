#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>

namespace picus {

using solvers::SchatzmanPaoliProblem;

struct SchatzmanPaoli::Workspace : SchemeWorkspace {
  Workspace(const System& system_in, const SchemeOptions& options_in, double theta, const Configuration& q)
      : SchemeWorkspace(system_in, options_in, q),
        problem(options_in, data, theta),
        increment(Vector::Zero(system_in.velocity_count())),
        mu(Vector::Zero(system_in.row_count())),
        no_constraint_impulse(mu),
        no_contact_impulse(Vector::Zero(system_in.contact_row_count())) {}

  Solvable<SchatzmanPaoliProblem> problem;
  Vector increment, mu;
  StepForces forces;  ///< of the last step
  Vector v_forces, constraint_force, contact_force, no_constraint_impulse, no_contact_impulse;
};

SchatzmanPaoli::SchatzmanPaoli(const SchemeOptions& options, const SchatzmanPaoliOptions& own)
    : options_(options), own_(own) {
  require_valid(options_, own_);
}

SchatzmanPaoli::~SchatzmanPaoli() = default;

TextEntries SchatzmanPaoli::options() const {
  return option_texts(options_, own_);
}

State SchatzmanPaoli::start(const System& system) {
  const ExclusiveUse use = begin_start(system);
  require_newtons_law(system, name());
  require_no_friction(system, name());
  workspace_ =
      std::make_unique<Workspace>(system, options_, own_.theta, system.model().initial_configuration());
  Workspace& w = *workspace_;
  Solvable<PositionProblem> projection(options_, w.data);
  State state = w.start(projection, findings_);
  // q_{-1} = q_0 o exp(-h v_0 + h^2/2 a_0).
  state.auxiliary = state.v - (options_.step / 2) * state.acceleration;
  state.constraint_force.setZero();
  if (w.averaged_start) w.averaged_start->constraint_force.setZero();
  w.data.lambda.setZero();
  begin(state);
  w.problem.choose_pivots();
  return state;
}

void SchatzmanPaoli::change_contacts(const State& state) {
  const ExclusiveUse use = begin_change(state);
  require_newtons_law(system(), name());
  require_no_friction(system(), name());
  workspace_ = std::make_unique<Workspace>(system(), options_, own_.theta, state.q);
  workspace_->resume(state, findings_);
  begin(state);
  workspace_->problem.choose_pivots();
}

void SchatzmanPaoli::begin(const State& state) {
  Workspace& w = *workspace_;
  const double h = options_.step;
  w.begin_step(state, h);
  w.increment = h * state.auxiliary;
  w.mu = h * state.constraint_impulse;
  w.problem.begin(w.increment, state.acceleration, w.mu);
}

StepReport SchatzmanPaoli::step(State& state) {
  const ExclusiveUse use = begin_step(state);
  Workspace& w = *workspace_;
  StepReport report = named_report(subproblem_names());
  w.solve(w.problem,
          w.setting(predicted_newton(options_.max_iterations, !w.system->contacts().empty()),
                    state.position_multiplier, state.contact_state),
          "position-level problem", report, 0, [&] { begin(state); });
  w.refuse_fault(w.data.q);
  commit(state);
  report.closed_contacts = count_closed(state);
  return report;
}

std::span<const StepForces> SchatzmanPaoli::step_forces() const {
  return workspace_ ? std::span(&workspace_->forces, 1) : std::span<const StepForces>();
}

// v_{n+1} - v_n = ((d_{n+1} - d_n) + (d_n - d_{n-1}))/(2 h). The start has v_0 = d_0/h + h/2 a_0, the velocity half a
// step later.
void SchatzmanPaoli::note_forces(const State& state) {
  Workspace& w = *workspace_;
  const double h = options_.step;
  StepForces& forces = w.forces;
  forces = StepForces::trapezoidal(h);
  forces.restart = w.restart();
  if (state.step == 0) forces.last = -h / 2;
  forces.points[0] = {.q = &w.data.smooth.q, .v = &w.v_forces, .time = w.data.smooth.t};
  w.v_forces = (w.problem.increment() + w.increment) / (2 * h);
  w.constraint_force = w.problem.bilateral_multipliers() / (h * h);
  w.contact_force = w.problem.contact_multipliers() / (h * h);
  forces.constraint_columns = &w.data.smooth.G;
  forces.constraint_force = &w.constraint_force;
  forces.contact_force = &w.contact_force;
  forces.constraint_impulse = &w.no_constraint_impulse;
  forces.contact_impulse = &w.no_contact_impulse;
}

void SchatzmanPaoli::commit(State& state) {
  Workspace& w = *workspace_;
  note_forces(state);
  const System& system = *w.system;
  const double h = options_.step;
  system.evaluate_contact_gradients(w.data.q, w.data.contact_G);
  w.problem.velocity(state.v);
  System::multiply(system.contact_entries(), w.data.contact_G, state.v, state.contact_rate);
  state.acceleration = w.problem.acceleration();
  state.auxiliary = w.data.dq / h;
  state.constraint_impulse = w.problem.bilateral_multipliers() / h;
  state.contact_impulse = w.problem.contact_multipliers() / h;
  state.position_multiplier = w.problem.contact_multipliers();
  state.reaction = w.problem.momentum_residual() / (h * h);
  w.commit(state, w.data.q, w.problem.contact_states(), w.problem.contact_states());
}

}  // namespace picus
