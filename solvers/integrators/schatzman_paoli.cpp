#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>

#include <fmt/format.h>

namespace picus {

struct SchatzmanPaoli::Workspace : SchemeWorkspace {
  Workspace(const System& system_in, const DecoupledNsgaOptions& options_in, double theta)
      : SchemeWorkspace(system_in, options_in),
        problem(data, theta),
        solver(make_analyzed_solver(problem.matrix(), problem.is_symmetric(), system_in.contact_row_count(),
                                    options_in)),
        work(problem.size()),
        increment(Vector::Zero(system_in.velocity_count())),
        mu(Vector::Zero(system_in.row_count())) {
    problem.set_scaling(options->scaling, options->regularization);
  }

  State make_start(std::vector<std::string>& warnings) {
    PositionProblem projection(data);
    projection.set_scaling(options->scaling, options->regularization);
    const auto projection_solver = make_analyzed_solver(projection.matrix(), projection.is_symmetric(),
                                                        system->contact_row_count(), *options);
    return start(projection, *projection_solver, warnings);
  }

  SchatzmanPaoliProblem problem;
  std::unique_ptr<LinearSolver> solver;
  NewtonWorkspace work;
  Vector increment, mu;
};

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
  State state = w.make_start(warnings_);
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
  w.begin_step(state, h);
  w.increment = h * state.auxiliary;
  w.mu = h * state.constraint_impulse;
  w.problem.begin(w.increment, state.acceleration, w.mu);
}

StepReport SchatzmanPaoli::step(State& state) {
  const Turn turn = begin_step(state);
  Workspace& w = *workspace_;
  StepReport report;
  report.subproblems[0].name = w.problem.name();
  w.solve(w.problem, *w.solver, w.work,
          w.setting(predicted_newton(options_.max_iterations, !w.system->contacts().empty()),
                    state.position_multiplier, state.contact_state),
          "position-level problem", report, 0, [&] { begin(state); });
  w.refuse_fault(w.data.q);
  commit(state);
  report.closed_contacts = count_closed(state);
  return report;
}

void SchatzmanPaoli::commit(State& state) {
  Workspace& w = *workspace_;
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
