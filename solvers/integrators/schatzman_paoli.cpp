#include <picus/error.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/integrators/consistent_start.hpp>
#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>

#include <fmt/format.h>

namespace picus {

struct SchatzmanPaoli::Workspace {
  Workspace(const System& system_in, const DecoupledNsgaOptions& options, double theta)
      : system(&system_in),
        data(system_in),
        problem(data, theta),
        solver(make_analyzed_solver(problem.matrix(), problem.is_symmetric(), system_in.contact_row_count(),
                                    options)),
        work(problem.size()),
        increment(Vector::Zero(system_in.velocity_count())),
        mu(Vector::Zero(system_in.row_count())),
        motion(Vector::Zero(system_in.contact_row_count())),
        no_multiplier(motion) {
    data.tolerance = options.tolerance;
    data.contact_mass = contact_masses(system_in, data.mass, data.scales, data.q, 0.0);
    problem.set_scaling(options.scaling, options.regularization);
  }

  const System* system;
  StepData data;
  SchatzmanPaoliProblem problem;
  std::unique_ptr<LinearSolver> solver;
  NewtonWorkspace work;
  Vector increment, mu, motion, no_multiplier;
};

namespace {

State make_start(const System& system, StepData& data, const DecoupledNsgaOptions& options) {
  PositionProblem projection(data);
  projection.set_scaling(options.scaling, options.regularization);
  const auto solver = make_analyzed_solver(projection.matrix(), projection.is_symmetric(),
                                           system.contact_row_count(), options);
  try {
    return make_consistent_start(system, data, projection, *solver);
  } catch (const SolverError&) {
    refuse_incompatible_constraints(system);
    throw;
  }
}

}  // namespace

SchatzmanPaoli::SchatzmanPaoli(const DecoupledNsgaOptions& options, double theta)
    : options_(options), theta_(theta) {
  require_valid(options);
  require_option(theta >= 0 && theta <= 1, "theta", theta, "in [0, 1]");
}

SchatzmanPaoli::~SchatzmanPaoli() = default;

TextEntries SchatzmanPaoli::options() const {
  TextEntries entries = common_option_texts(options_);
  entries.emplace_back("theta", fmt::format("{}", theta_));
  return entries;
}

State SchatzmanPaoli::start(const System& system) {
  const Turn turn = begin_start(system);
  require_no_friction(system, name());
  workspace_ = std::make_unique<Workspace>(system, options_, theta_);
  Workspace& w = *workspace_;
  State state = make_start(system, w.data, options_);
  warnings_ = check_start(system, state);
  // q_{-1} = q_0 o exp(-h v_0 + h^2/2 a_0).
  state.auxiliary = state.v - (options_.step / 2) * state.acceleration;
  state.constraint_force.setZero();
  w.data.lambda.setZero();
  begin(state);
  choose_pivots(w.problem, *w.solver, w.work.r);
  return state;
}

void SchatzmanPaoli::begin(const State& state) {
  Workspace& w = *workspace_;
  const double h = options_.step;
  w.data.q_n = &state.q;
  w.data.v_n = &state.v;
  w.data.impulse_n = state.contact_impulse.lpNorm<Eigen::Infinity>();
  w.data.h = h;
  w.data.t = state.time + h;
  w.increment = h * state.auxiliary;
  w.mu = h * state.constraint_impulse;
  w.problem.begin(w.increment, state.acceleration, w.mu);
}

StepReport SchatzmanPaoli::step(State& state) {
  const Turn turn = begin_step(state);
  Workspace& w = *workspace_;
  const double h = options_.step;
  StepReport report;
  report.subproblems[0].name = w.problem.name();
  // A guess within the tolerance, step after step, adds up.
  NewtonOptions newton{.max_iterations = options_.max_iterations, .good_start = 1e-4};
  if (w.system->contacts().empty()) newton.full_steps = 0;
  const SolveSetting setting{.newton = newton,
                             .policy = options_.fallbacks,
                             .scaling = options_.scaling,
                             .regularization = options_.regularization,
                             .no_multiplier = &w.no_multiplier,
                             .last_multiplier = &state.position_multiplier};
  const NewtonReport solve =
      RemediedSolve(w.problem, *w.solver, w.work, setting, report, report.subproblems[0]).solve([&] {
        begin(state);
      });
  if (!solve.converged) {
    throw SolverError(fmt::format(
        "step from t = {} s with h = {} s: the {} problem was not solved; after {} iterations the residual "
        "of {} is {:.3g} times its tolerance",
        state.time, h, w.problem.name(), solve.iterations, w.problem.describe(solve.residual.where),
        solve.residual.worst));
  }
  commit(state);
  report.closed_contacts = count_closed(state);
  return report;
}

void SchatzmanPaoli::commit(State& state) {
  Workspace& w = *workspace_;
  const System& system = *w.system;
  const double h = options_.step;
  system.evaluate_gaps(state.q, w.data.q, w.motion);
  system.evaluate_contact_gradients(w.data.q, w.data.contact_G);
  w.problem.velocity(state.v);
  System::multiply(system.contact_entries(), w.data.contact_G, state.v, state.contact_rate);
  for (std::size_t c = 0; c < system.contacts().size(); ++c) {
    const auto& block = system.contacts()[c];
    state.contact_state[c] =
        observed_state(w.problem.contact_states()[c],
                       {state.contact_rate.data() + block.first_row, static_cast<std::size_t>(block.rows)},
                       options_.tolerance * w.data.speed[0]);
    if (w.problem.contact_states()[c] == ContactState::gap) continue;
    for (Index i = block.first_row + 1; i < block.first_row + block.rows; ++i)
      state.contact_slip[i] += w.motion[i];
  }
  state.acceleration = w.problem.acceleration();
  state.auxiliary = w.data.dq / h;
  state.q = w.data.q;
  orthonormalize(system.nodes(), state.q);
  state.constraint_impulse = w.problem.bilateral_multipliers() / h;
  state.contact_impulse = w.problem.contact_multipliers() / h;
  state.position_multiplier = w.problem.contact_multipliers();
  state.reaction = w.problem.momentum_residual() / (h * h);
  for (const Index dof : system.free_dofs()) state.reaction[dof] = 0.0;
  state.time += h;
  ++state.step;
}

}  // namespace picus
