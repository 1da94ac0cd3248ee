#include <picus/solvers/integrators/nsga_workspace.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

namespace picus {
namespace {

std::unique_ptr<LinearSolver> make_solver(const Subproblem& problem, const DecoupledNsgaOptions& options) {
  return make_analyzed_solver(problem.matrix(), problem.is_symmetric(),
                              problem.size() - problem.first_contact_unknown(), options);
}

}  // namespace

NsgaWorkspace::NsgaWorkspace(const System& system_in, const DecoupledNsgaOptions& options_in)
    : SchemeWorkspace(system_in, options_in),
      smooth(data),
      position(data),
      velocity(data),
      smooth_solver(make_solver(smooth, options_in)),
      position_solver(make_solver(position, options_in)),
      velocity_solver(make_solver(velocity, options_in)),
      smooth_work(smooth.size()),
      position_work(position.size()),
      velocity_work(velocity.size()),
      auxiliary(Vector::Zero(system_in.velocity_count())),
      has_rows(system_in.row_count() + system_in.contact_row_count() > 0) {
  set_scaling(options->scaling);
}

void NsgaWorkspace::set_scaling(double scaling) {
  smooth.set_scaling(scaling, options->regularization);
  position.set_scaling(scaling, options->regularization);
  velocity.set_scaling(scaling, options->regularization);
}

State NsgaWorkspace::start(std::vector<std::string>& warnings) {
  State state = SchemeWorkspace::start(position, *position_solver, warnings);
  data.v_smooth = state.v;
  data.speed = data.scales.speeds(state.v);
  begin_step(state, options->step, options->rho_inf);
  choose_pivots(smooth, *smooth_solver, smooth_work.r);
  if (!has_rows) return state;
  data.v_smooth = state.v;
  data.dq_smooth.setZero();
  data.acceleration = state.acceleration;
  const std::vector<ContactState> closed(system->contacts().size(), ContactState::stick);
  position.set_contact_multipliers(no_multiplier);
  position.begin();
  choose_pivots(position, *position_solver, position_work.r);
  velocity.set_contact_multipliers(no_multiplier);
  velocity.begin(state.contact_rate, closed);
  choose_pivots(velocity, *velocity_solver, velocity_work.r);
  return state;
}

void NsgaWorkspace::begin_step(const State& state, double h, double rho_inf) {
  SchemeWorkspace::begin_step(state, h);
  data.columns.begin(state.q, state.v, state.contact_state);
  smooth.begin(GeneralizedAlpha::with_spectral_radius(rho_inf), state.acceleration, state.auxiliary,
               state.constraint_force);
}

void NsgaWorkspace::commit(State& state, double h, bool has_forces) {
  const StepData& d = data;
  state.position_multiplier = position.contact_multipliers();
  state.contact_rate = velocity.contact_rate();
  state.v = has_rows ? velocity.velocity() : d.v_smooth;
  state.acceleration = d.acceleration;
  state.auxiliary = auxiliary;
  state.constraint_force = d.lambda;
  state.constraint_impulse = velocity.bilateral_multipliers();
  state.contact_impulse = velocity.contact_multipliers();
  state.reaction = smooth.reaction();
  if (has_rows && has_forces) state.reaction.setZero();
  if (has_rows) state.reaction += velocity.momentum_residual() / h;
  SchemeWorkspace::commit(state, end(), velocity.contact_states(), position.contact_states());
}

}  // namespace picus
