#include <picus/error.hpp>
#include <picus/solvers/integrators/nsga_workspace.hpp>
#include <picus/solvers/integrators/remedies.hpp>

#include <fmt/format.h>

namespace picus {
namespace {

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
    if (try_step(state, h, rho_inf, cuts_left == 0, failure)) return;
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
  /// The last attempt of a step that is cut no more may be accepted above its tolerance.
  bool try_step(State& state, double h, double rho_inf, bool is_last, std::string& failure) {
    states_n_ = state.contact_state;
    const auto begin_smooth = [&] { w_.begin_step(state, h, rho_inf); };
    if (!solve(w_.smooth, *w_.smooth_solver, smooth_options(), report_.subproblems[0], w_.smooth_work,
               nullptr, begin_smooth, state.time, h, is_last, failure)) {
      return false;
    }
    w_.smooth.finish(w_.auxiliary);

    if (!w_.has_rows) return end_step(state, h, true, failure);
    const bool has_forces = options_.variant != DecoupledVariant::without_force_changes;
    const bool has_friction = options_.variant != DecoupledVariant::without_position_friction;
    const auto begin_position = [&] {
      w_.position.begin({.has_forces = has_forces, .has_friction = has_friction});
    };
    if (!solve(w_.position, *w_.position_solver, newton_options(w_.position), report_.subproblems[1],
               w_.position_work, &state.position_multiplier, begin_position, state.time, h, is_last,
               failure)) {
      return false;
    }
    const auto begin_velocity = [&] {
      w_.velocity.begin(state.contact_rate, w_.position.contact_states(), has_forces);
    };
    if (!solve(w_.velocity, *w_.velocity_solver, newton_options(w_.velocity), report_.subproblems[2],
               w_.velocity_work, &state.contact_impulse, begin_velocity, state.time, h, is_last, failure)) {
      return false;
    }
    return end_step(state, h, has_forces, failure);
  }

  bool end_step(State& state, double h, bool has_forces, std::string& failure) {
    failure = w_.describe_fault(w_.end());
    if (!failure.empty()) return false;
    w_.commit(state, h, has_forces);
    return true;
  }

  template <class Begin>
  bool solve(Subproblem& problem, LinearSolver& solver, const NewtonOptions& newton, SubproblemReport& total,
             NewtonWorkspace& work, const Vector* last_multiplier, const Begin& begin, double t, double h,
             bool may_accept, std::string& failure) {
    SolveSetting setting =
        last_multiplier == nullptr ? w_.setting(newton) : w_.setting(newton, *last_multiplier, states_n_);
    setting.may_accept = may_accept;
    const NewtonReport report = RemediedSolve(problem, solver, work, setting, report_, total).solve(begin);
    if (!report.converged)
      failure = SchemeWorkspace::describe_failure(problem, fmt::format("{} sub-problem", problem.name()),
                                                  report, t, h);
    return report.converged;
  }

  NewtonOptions smooth_options() const {
    NewtonOptions options = predicted_newton(options_.max_iterations, false);
    options.reuses_tangent = newton_options(w_.smooth).reuses_tangent;
    return w_.smooth.with_other_start(options);
  }

  NewtonOptions newton_options(const Subproblem& problem) const {
    const bool reuses = options_.reuse == TangentReuse::automatic ? problem.size() >= reuse_size
                                                                  : options_.reuse == TangentReuse::always;
    // A first guess from the last step is good enough in standing structures, where what is left of it must not add up.
    NewtonOptions options = predicted_newton(options_.max_iterations, true);
    options.reuses_tangent = reuses;
    return options;
  }

  NsgaWorkspace& w_;
  const DecoupledNsgaOptions& options_;
  StepReport& report_;
  std::span<const ContactState> states_n_;  ///< of the step that is tried
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
  entries.emplace_back("fallback_open_contacts", yes(options_.fallbacks.open_contacts));
  entries.emplace_back("fallback_smaller_scaling", yes(options_.fallbacks.smaller_scaling));
  entries.emplace_back("fallback_interior_point", yes(options_.fallbacks.interior_point));
  entries.emplace_back("fallback_no_restitution", yes(options_.fallbacks.no_restitution));
  entries.emplace_back("fallback_step_cuts", fmt::format("{}", options_.fallbacks.step_cuts));
  entries.emplace_back("accepted_residual", fmt::format("{}", options_.fallbacks.accepted_residual));
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
