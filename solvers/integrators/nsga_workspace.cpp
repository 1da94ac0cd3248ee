#include <picus/error.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/integrators/consistent_start.hpp>
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
    : system(&system_in),
      options(&options_in),
      data(system_in),
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
      no_multiplier(Vector::Zero(system_in.contact_row_count())),
      has_rows(system_in.row_count() + system_in.contact_row_count() > 0),
      gap_(no_multiplier) {
  data.tolerance = options->tolerance;
  data.contact_mass = contact_masses(*system, data.mass, data.scales, data.q, 0.0);
  set_scaling(options->scaling);
}

void NsgaWorkspace::set_scaling(double scaling) {
  smooth.set_scaling(scaling, options->regularization);
  position.set_scaling(scaling, options->regularization);
  velocity.set_scaling(scaling, options->regularization);
}

State NsgaWorkspace::start(std::vector<std::string>& warnings) {
  State state;
  try {
    state = make_consistent_start(*system, data, position, *position_solver);
  } catch (const SolverError&) {
    refuse_incompatible_constraints(*system);
    throw;
  }
  warnings = check_start(*system, state);

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
  data.q_n = &state.q;
  data.v_n = &state.v;
  data.contact_state_n = &state.contact_state;
  data.impulse_n = state.contact_impulse.lpNorm<Eigen::Infinity>();
  data.h = h;
  data.t = state.time + h;
  smooth.begin(GeneralizedAlpha::with_spectral_radius(rho_inf), state.acceleration, state.auxiliary,
               state.constraint_force);
}

void NsgaWorkspace::commit(State& state, double h, bool has_forces) const {
  const StepData& d = data;
  const Configuration& q = has_rows ? d.q : d.smooth.q;
  state.position_multiplier = position.contact_multipliers();
  state.contact_rate = velocity.contact_rate();
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    const auto& block = system->contacts()[c];
    state.contact_state[c] =
        observed_state(velocity.contact_states()[c],
                       {state.contact_rate.data() + block.first_row, static_cast<std::size_t>(block.rows)},
                       options->tolerance * d.speed[0]);
  }
  system->evaluate_gaps(state.q, q, gap_);
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    if (position.contact_states()[c] == ContactState::gap) continue;
    const auto& block = system->contacts()[c];
    for (Index i = 1; i < block.rows; ++i)
      state.contact_slip[block.first_row + i] += gap_[block.first_row + i];
  }
  state.q = q;
  orthonormalize(system->nodes(), state.q);
  state.v = has_rows ? velocity.velocity() : d.v_smooth;
  state.acceleration = d.acceleration;
  state.auxiliary = auxiliary;
  state.constraint_force = d.lambda;
  state.constraint_impulse = velocity.bilateral_multipliers();
  state.contact_impulse = velocity.contact_multipliers();
  state.reaction = smooth.reaction();
  if (has_rows && has_forces) state.reaction.setZero();
  if (has_rows) state.reaction += velocity.momentum_residual() / h;
  for (const Index dof : system->free_dofs()) state.reaction[dof] = 0.0;
  state.time += h;
  ++state.step;
}

}  // namespace picus
