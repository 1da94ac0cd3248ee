#include <picus/error.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/integrators/consistent_start.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/subproblems/first_order_contact.hpp>
#include <picus/solvers/subproblems/position_problem.hpp>
#include <picus/solvers/subproblems/smooth_problem.hpp>
#include <picus/solvers/subproblems/velocity_problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

/// The fallback "smaller scaling" divides k and p by this.
constexpr double scaling_reduction = 100;

/// Unknowns from which on tangents are reused.
constexpr Index reuse_size = 1000;

constexpr std::array<std::string_view, 3> reuse_names = {"automatic", "never", "always"};

void check(bool holds, std::string_view option, double value, std::string_view range) {
  if (!holds) throw OptionError(fmt::format("{} is {}, must be {}", option, value, range));
}

void check_options(const DecoupledNsgaOptions& o) {
  check(std::isfinite(o.step) && o.step > 0, "step", o.step, "positive");
  check(o.rho_inf >= 0 && o.rho_inf <= 1, "rho-inf", o.rho_inf, "in [0, 1]");
  check(o.tolerance > 0 && o.tolerance <= 1e-2, "tolerance", o.tolerance, "in (0, 0.01]");
  check(o.max_iterations >= 1 && o.max_iterations <= 1000, "max-iterations", o.max_iterations,
        "in [1, 1000]");
  check(std::isfinite(o.scaling) && o.scaling > 0, "scaling", o.scaling, "positive");
  check(o.regularization >= 0 && o.regularization <= 1e-2, "regularization", o.regularization,
        "in [0, 0.01]");
  check(o.fallbacks.step_cuts >= 0 && o.fallbacks.step_cuts <= 10, "step-cuts", o.fallbacks.step_cuts,
        "in [0, 10]");
}

/// Whether every word of the three multiplier rows etc. is finite is checked by the residual norm itself.
void add(SubproblemReport& total, const NewtonReport& part) {
  total.iterations += part.iterations;
  total.line_searches += part.line_searches;
  total.residual = part.residual.worst;
}

}  // namespace

struct DecoupledNsga::Workspace {
  Workspace(const System& system, const Options& options)
      : data(system),
        smooth(data),
        position(data),
        velocity(data),
        smooth_work(smooth.size()),
        position_work(position.size()),
        velocity_work(velocity.size()),
        auxiliary(Vector::Zero(system.velocity_count())),
        has_rows(system.row_count() + system.contact_row_count() > 0) {
    smooth_solver = make_solver(smooth, options);
    position_solver = make_solver(position, options);
    velocity_solver = make_solver(velocity, options);
    no_multiplier = Vector::Zero(system.contact_row_count());
    gap_n = no_multiplier;
  }

  static std::unique_ptr<LinearSolver> make_solver(const Subproblem& problem, const Options& options) {
    const Index contact_rows = problem.size() - problem.first_contact_unknown();
    auto solver =
        make_linear_solver(options.linear_solver, problem.matrix(), problem.is_symmetric(), contact_rows);
    if (options.wrap_linear_solver) solver = options.wrap_linear_solver(std::move(solver));
    solver->analyze(problem.matrix(), contact_rows);
    return solver;
  }

  StepData data;
  SmoothProblem smooth;
  PositionProblem position;
  VelocityProblem velocity;
  std::unique_ptr<LinearSolver> smooth_solver, position_solver, velocity_solver;
  NewtonWorkspace smooth_work, position_work, velocity_work;
  Vector auxiliary;
  Vector no_multiplier;
  Vector gap_n;
  bool has_rows;  ///< constraints or contacts; otherwise the smooth motion is all
};

/// One step of size h from a state, with the fallbacks of the policy.
class DecoupledNsgaStep {
 public:
  DecoupledNsgaStep(DecoupledNsga::Workspace& work, const DecoupledNsgaOptions& options, StepReport& report)
      : w_(work), options_(options), report_(report) {}

  /// Advances `state` by h, or throws SolverError and leaves it as it was.
  void advance(State& state, double h, int cuts_left) {
    std::string failure;
    if (try_step(state, h, failure)) return;
    if (cuts_left == 0) throw SolverError(failure);
    ++report_.fallbacks[static_cast<std::size_t>(Fallback::step_cut)];
    State halfway = state;
    advance(halfway, h / 2, cuts_left - 1);
    const State first = halfway;
    advance(halfway, h / 2, cuts_left - 1);
    halfway.constraint_impulse +=
        first.constraint_impulse + (h / 2) * (first.constraint_force - halfway.constraint_force);
    halfway.contact_impulse += first.contact_impulse;
    halfway.reaction = 0.5 * (halfway.reaction + first.reaction);
    halfway.step = state.step + 1;
    state = std::move(halfway);
  }

 private:
  bool try_step(State& state, double h, std::string& failure) {
    StepData& d = w_.data;
    d.q_n = &state.q;
    d.v_n = &state.v;
    d.h = h;
    d.t = state.time + h;
    d.tolerance = options_.tolerance;

    w_.smooth.begin(GeneralizedAlpha::with_spectral_radius(options_.rho_inf), state.acceleration,
                    state.auxiliary, state.constraint_force);
    const NewtonReport smooth =
        solve_newton(w_.smooth, *w_.smooth_solver, newton_options(w_.smooth), w_.smooth_work);
    add(report_.subproblems[0], smooth);
    if (!smooth.converged) {
      failure = describe(w_.smooth, smooth, state.time, h);
      return false;
    }
    w_.smooth.finish(w_.auxiliary);

    if (!w_.has_rows) {
      w_.position.take_smooth_motion();
      w_.velocity.take_smooth_motion(w_.smooth.momentum_residual());
      commit(state, h);
      return true;
    }
    const auto begin_position = [&] { w_.position.begin(); };
    if (!solve_contact(w_.position, *w_.position_solver, report_.subproblems[1], w_.position_work,
                       state.position_multiplier, begin_position, state.time, h, failure)) {
      return false;
    }
    const auto begin_velocity = [&] { w_.velocity.begin(state.contact_rate, w_.position.contact_states()); };
    if (!solve_contact(w_.velocity, *w_.velocity_solver, report_.subproblems[2], w_.velocity_work,
                       state.contact_impulse, begin_velocity, state.time, h, failure)) {
      return false;
    }
    commit(state, h);
    return true;
  }

  template <class Begin>
  bool solve_contact(Subproblem& problem, LinearSolver& solver, SubproblemReport& total,
                     NewtonWorkspace& work, const Vector& last_multiplier, const Begin& begin, double t,
                     double h, std::string& failure) {
    const auto attempt = [&](const Vector& multiplier) {
      problem.set_contact_multipliers(multiplier);
      begin();
      const NewtonReport report = solve_newton(problem, solver, newton_options(problem), work);
      add(total, report);
      return report;
    };
    NewtonReport report = attempt(w_.no_multiplier);
    if (report.converged) return true;
    const FallbackPolicy& policy = options_.fallbacks;
    if (policy.smaller_scaling) {
      count(Fallback::smaller_scaling);
      set_scaling(options_.scaling / scaling_reduction);
      report = attempt(w_.no_multiplier);
      set_scaling(options_.scaling);
      if (report.converged) return true;
    }
    if (policy.last_active_set) {
      count(Fallback::last_active_set);
      report = attempt(last_multiplier);
      if (report.converged) return true;
    }
    if (policy.first_order) {
      count(Fallback::first_order);
      problem.set_contact_multipliers(w_.no_multiplier);
      begin();
      report = solve_first_order(problem, solver, options_.max_iterations, work);
      add(total, report);
      if (report.converged) return true;
    }
    failure = describe(problem, report, t, h);
    return false;
  }

  void commit(State& state, double h) {
    StepData& d = w_.data;
    const System& system = *d.system;
    state.position_multiplier = w_.position.contact_multipliers();
    state.contact_rate = w_.velocity.contact_rate();
    for (std::size_t c = 0; c < system.contacts().size(); ++c)
      state.contact_state[c] = observed_state(state, c);
    system.evaluate_gaps(state.q, d.q, w_.gap_n);
    for (std::size_t c = 0; c < system.contacts().size(); ++c) {
      if (w_.position.contact_states()[c] == ContactState::gap) continue;
      const auto& block = system.contacts()[c];
      for (Index i = 1; i < block.rows; ++i)
        state.contact_slip[block.first_row + i] += w_.gap_n[block.first_row + i];
    }
    state.q = d.q;
    orthonormalize(system.nodes(), state.q);
    state.v = w_.velocity.velocity();
    state.acceleration = d.acceleration;
    state.auxiliary = w_.auxiliary;
    state.constraint_force = d.lambda;
    state.constraint_impulse = w_.velocity.bilateral_multipliers();
    state.contact_impulse = w_.velocity.contact_multipliers();
    state.reaction = w_.velocity.momentum_residual() / h;
    for (const Index dof : system.free_dofs()) state.reaction[dof] = 0.0;
    state.time += h;
    ++state.step;
  }

  /// Of several contacts that hold a body together, some may stand at the limit of friction without sliding.
  ContactState observed_state(const State& state, std::size_t contact) const {
    const auto& block = w_.data.system->contacts()[contact];
    const ContactState law = w_.velocity.contact_states()[contact];
    if (law != ContactState::slip || block.rows == 1) return law;
    const double sliding = state.contact_rate.segment(block.first_row + 1, block.rows - 1).norm();
    return sliding > options_.tolerance * w_.data.speed[0] ? ContactState::slip : ContactState::stick;
  }

  NewtonOptions newton_options(const Subproblem& problem) const {
    const bool reuses = options_.reuse == TangentReuse::automatic ? problem.size() >= reuse_size
                                                                  : options_.reuse == TangentReuse::always;
    return {.max_iterations = options_.max_iterations, .reuses_tangent = reuses};
  }

  void set_scaling(double scaling) {
    w_.smooth.set_scaling(scaling, options_.regularization);
    w_.position.set_scaling(scaling, options_.regularization);
    w_.velocity.set_scaling(scaling, options_.regularization);
  }

  void count(Fallback fallback) { ++report_.fallbacks[static_cast<std::size_t>(fallback)]; }

  static std::string describe(const Subproblem& problem, const NewtonReport& report, double t, double h) {
    return fmt::format(
        "step from t = {} s with h = {} s: the {} sub-problem was not solved, by no fallback; after {} "
        "iterations the "
        "residual of {} is {:.3g} times its tolerance",
        t, h, problem.name(), report.iterations, problem.describe(report.residual.where),
        report.residual.worst);
  }

  DecoupledNsga::Workspace& w_;
  const DecoupledNsgaOptions& options_;
  StepReport& report_;
};

DecoupledNsga::DecoupledNsga(const Options& options) : options_(options) {
  check_options(options);
}

DecoupledNsga::~DecoupledNsga() = default;

TextEntries DecoupledNsga::options() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {{"step", fmt::format("{}", options_.step)},
          {"rho_inf", fmt::format("{}", options_.rho_inf)},
          {"tolerance", fmt::format("{}", options_.tolerance)},
          {"max_iterations", fmt::format("{}", options_.max_iterations)},
          {"scaling", fmt::format("{}", options_.scaling)},
          {"regularization", fmt::format("{}", options_.regularization)},
          {"reuse", std::string(reuse_names[static_cast<std::size_t>(options_.reuse)])},
          {"fallback_smaller_scaling", yes(options_.fallbacks.smaller_scaling)},
          {"fallback_last_active_set", yes(options_.fallbacks.last_active_set)},
          {"fallback_first_order", yes(options_.fallbacks.first_order)},
          {"fallback_step_cuts", fmt::format("{}", options_.fallbacks.step_cuts)}};
}

namespace {

/// Has the solver choose its pivots at the start, with all contacts closed, so that they do not depend on
/// what happens later and a restored state goes on to the same bits. (An open contact that is eliminated by
/// its own diagonal leaves a pivot that nearly vanishes once it closes; pivots for closed contacts serve open
/// ones as well.)
void choose_pivots(Subproblem& problem, LinearSolver& solver, Vector& r) {
  problem.evaluate(r);
  Vector P = problem.contact_multipliers();
  for (const ContactCone& cone : problem.cones()) {
    for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i)
      P[i] = cone.p * problem.contact_motion()[i];
    P[cone.first_row] += cone.p * std::numeric_limits<double>::epsilon();
  }
  problem.set_contact_multipliers(P);
  problem.evaluate(r);
  solver.factorize(problem.tangent());
}

}  // namespace

State DecoupledNsga::start(const System& system) {
  workspace_ = std::make_unique<Workspace>(system, options_);
  Workspace& w = *workspace_;
  w.data.tolerance = options_.tolerance;
  w.data.contact_mass = contact_masses(system, w.data.mass, w.data.scales, w.data.q, 0.0);
  w.smooth.set_scaling(options_.scaling, options_.regularization);
  w.position.set_scaling(options_.scaling, options_.regularization);
  w.velocity.set_scaling(options_.scaling, options_.regularization);
  State state;
  try {
    state = make_consistent_start(system, w.data, w.position, *w.position_solver);
  } catch (const SolverError&) {
    refuse_incompatible_constraints(system);
    throw;
  }
  warnings_ = check_constraints(system, state.q, state.time);

  w.data.q_n = &state.q;
  w.data.v_n = &state.v;
  w.data.h = options_.step;
  w.data.v_smooth = state.v;
  w.data.speed = w.data.scales.speeds(state.v);
  w.data.t = state.time + options_.step;
  w.smooth.begin(GeneralizedAlpha::with_spectral_radius(options_.rho_inf), state.acceleration,
                 state.auxiliary, state.constraint_force);
  choose_pivots(w.smooth, *w.smooth_solver, w.smooth_work.r);
  if (!w.has_rows) return state;
  w.data.v_smooth = state.v;
  w.data.dq_smooth.setZero();
  const std::vector<ContactState> closed(system.contacts().size(), ContactState::stick);
  w.position.set_contact_multipliers(w.no_multiplier);
  w.position.begin();
  choose_pivots(w.position, *w.position_solver, w.position_work.r);
  w.velocity.set_contact_multipliers(w.no_multiplier);
  w.velocity.begin(state.contact_rate, closed);
  choose_pivots(w.velocity, *w.velocity_solver, w.velocity_work.r);
  return state;
}

StepReport DecoupledNsga::step(State& state) {
  if (!workspace_) throw SolverError("step() before start()");
  StepReport report;
  report.subproblems[0].name = "smooth";
  report.subproblems[1].name = "position";
  report.subproblems[2].name = "velocity";
  DecoupledNsgaStep(*workspace_, options_, report)
      .advance(state, options_.step, options_.fallbacks.step_cuts);
  report.closed_contacts =
      static_cast<int>(std::count_if(state.contact_state.begin(), state.contact_state.end(),
                                     [](ContactState contact) { return contact != ContactState::gap; }));
  return report;
}

const LinearSolverStatistics& DecoupledNsga::linear_statistics(int subproblem) const {
  if (!workspace_) throw OptionError("there are no statistics before start()");
  switch (subproblem) {
    case 0:
      return workspace_->smooth_solver->statistics();
    case 1:
      return workspace_->position_solver->statistics();
    case 2:
      return workspace_->velocity_solver->statistics();
    default:
      throw OptionError(fmt::format("there is no sub-problem {}", subproblem));
  }
}

}  // namespace picus
