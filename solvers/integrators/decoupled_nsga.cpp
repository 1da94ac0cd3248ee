#include <picus/error.hpp>
#include <picus/solvers/integrators/nsga_workspace.hpp>
#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/subproblems/first_order_contact.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

/// The fallback "smaller scaling" divides k and p by this.
constexpr double scaling_reduction = 100;

/// Unknowns from which on tangents are reused.
constexpr Index reuse_size = 1000;

constexpr std::array<std::string_view, 3> reuse_names = {"automatic", "never", "always"};
constexpr std::array<std::string_view, 3> variant_names = {"ds", "dsn", "ds-np"};

}  // namespace

/// One step of size h from a state, with the fallbacks of the policy.
class DecoupledNsgaStep {
 public:
  DecoupledNsgaStep(NsgaWorkspace& work, const DecoupledNsgaOptions& options, StepReport& report)
      : w_(work), options_(options), report_(report) {}

  /// Advances `state` by h, or throws SolverError and leaves it as it was. The parts of a step that was cut
  /// annihilate vibrations that they do not resolve: whatever of these an acceleration holds counts four times as
  /// much in a step twice as long, and would blow up on the way back to the full step.
  void advance(State& state, double h, double rho_inf, int cuts_left) {
    std::string failure;
    if (try_step(state, h, rho_inf, failure)) return;
    if (cuts_left == 0) throw SolverError(failure);
    ++report_.fallbacks[static_cast<std::size_t>(Fallback::step_cut)];
    State halfway = state;
    advance(halfway, h / 2, 0.0, cuts_left - 1);
    const State first = halfway;
    advance(halfway, h / 2, 0.0, cuts_left - 1);
    halfway.constraint_impulse +=
        first.constraint_impulse + (h / 2) * (first.constraint_force - halfway.constraint_force);
    halfway.contact_impulse += first.contact_impulse;
    halfway.reaction = 0.5 * (halfway.reaction + first.reaction);
    halfway.step = state.step + 1;
    state = std::move(halfway);
  }

 private:
  bool try_step(State& state, double h, double rho_inf, std::string& failure) {
    w_.begin_step(state, h, rho_inf);
    const NewtonReport smooth = solve_newton(w_.smooth, *w_.smooth_solver, smooth_options(), w_.smooth_work);
    add_solve(report_.subproblems[0], smooth);
    if (!smooth.converged) {
      failure = describe(w_.smooth, smooth, state.time, h);
      return false;
    }
    w_.smooth.finish(w_.auxiliary);

    if (!w_.has_rows) {
      w_.position.take_smooth_motion();
      w_.velocity.take_smooth_motion(w_.smooth.momentum_residual());
      w_.commit(state, h, true);
      return true;
    }
    const bool has_forces = options_.variant != DecoupledVariant::without_force_changes;
    const bool has_friction = options_.variant != DecoupledVariant::without_position_friction;
    const auto begin_position = [&] {
      w_.position.begin({.has_forces = has_forces, .has_friction = has_friction});
    };
    if (!solve_contact(w_.position, *w_.position_solver, report_.subproblems[1], w_.position_work,
                       state.position_multiplier, begin_position, state.time, h, failure)) {
      return false;
    }
    const auto begin_velocity = [&] {
      w_.velocity.begin(state.contact_rate, w_.position.contact_states(), has_forces);
    };
    if (!solve_contact(w_.velocity, *w_.velocity_solver, report_.subproblems[2], w_.velocity_work,
                       state.contact_impulse, begin_velocity, state.time, h, failure)) {
      return false;
    }
    w_.commit(state, h, has_forces);
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
      add_solve(total, report);
      return report;
    };
    NewtonReport report = attempt(w_.no_multiplier);
    if (report.converged) return true;
    const FallbackPolicy& policy = options_.fallbacks;
    if (policy.smaller_scaling) {
      count(Fallback::smaller_scaling);
      w_.set_scaling(options_.scaling / scaling_reduction);
      report = attempt(w_.no_multiplier);
      w_.set_scaling(options_.scaling);
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
      add_solve(total, report);
      if (report.converged) return true;
    }
    failure = describe(problem, report, t, h);
    return false;
  }

  /// Without contacts no wrong guess of an active set has to be left, and a full step that lets the residual of a
  /// vibrating beam grow may end at another root of its equations, with a thousand times the energy.
  NewtonOptions smooth_options() const {
    NewtonOptions options = newton_options(w_.smooth);
    options.full_steps = 0;
    // It starts from the acceleration of t_n, which may stay within the tolerance over many steps in succession:
    // errors of the same sign add up to far more than the tolerance.
    options.good_start = 1e-4;
    return options;
  }

  NewtonOptions newton_options(const Subproblem& problem) const {
    const bool reuses = options_.reuse == TangentReuse::automatic ? problem.size() >= reuse_size
                                                                  : options_.reuse == TangentReuse::always;
    return {.max_iterations = options_.max_iterations, .reuses_tangent = reuses};
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

  NsgaWorkspace& w_;
  const DecoupledNsgaOptions& options_;
  StepReport& report_;
};

DecoupledNsga::DecoupledNsga(const Options& options) : options_(options) {
  require_valid(options);
}

DecoupledNsga::~DecoupledNsga() = default;

std::string_view DecoupledNsga::name() const {
  return variant_names[static_cast<std::size_t>(options_.variant)];
}

TextEntries DecoupledNsga::options() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  TextEntries entries = common_option_texts(options_);
  entries.emplace_back("rho_inf", fmt::format("{}", options_.rho_inf));
  entries.emplace_back("reuse", reuse_names[static_cast<std::size_t>(options_.reuse)]);
  entries.emplace_back("fallback_smaller_scaling", yes(options_.fallbacks.smaller_scaling));
  entries.emplace_back("fallback_last_active_set", yes(options_.fallbacks.last_active_set));
  entries.emplace_back("fallback_first_order", yes(options_.fallbacks.first_order));
  entries.emplace_back("fallback_step_cuts", fmt::format("{}", options_.fallbacks.step_cuts));
  return entries;
}

State DecoupledNsga::start(const System& system) {
  const Turn turn = begin_start(system);
  workspace_ = std::make_unique<NsgaWorkspace>(system, options_);
  return workspace_->start(warnings_);
}

StepReport DecoupledNsga::step(State& state) {
  const Turn turn = begin_step(state);
  StepReport report;
  report.subproblems[0].name = "smooth";
  report.subproblems[1].name = "position";
  report.subproblems[2].name = "velocity";
  DecoupledNsgaStep(*workspace_, options_, report)
      .advance(state, options_.step, options_.rho_inf, options_.fallbacks.step_cuts);
  report.closed_contacts = count_closed(state);
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
