#include <picus/error.hpp>
#include <picus/solvers/integrators/decoupled_step.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace picus::solvers {
namespace {

/// Number of nonzeros from which on tangents are reused: the factorisation of 3^3 hexahedra, or of a chain of 100
/// bodies, then costs more than the iterations that it saves (bench_defaults).
constexpr std::size_t reuse_entries = 5000;
/// Number of unknowns from which on this is done with contacts: since their states change, old factors save less, and
/// sometimes fail.
constexpr Index reuse_size_with_contacts = 1000;
/// Where dozens of contacts slide, as along a rope, each iteration changes the states of a few further neighbouring
/// contacts, and the residual grows occasionally until the last one has changed; a line search before that prevents
/// further changes. Therefore the number of full steps is half the number of contacts, within these limits: a rope on a
/// drum (model capstan, 0.1 s, 30 contacts) needs remedies in 71 of 100 steps with 5 full steps, in 36 with 16; more
/// full steps are no better. With few contacts and more than 5 full steps, solves fail whose k and p are far too large.
constexpr int least_full_steps = 5;
constexpr int most_full_steps = 16;

}  // namespace

void DecoupledStep::advance(State& state) {
  w_.forget_forces();
  advance(state, options_.step, own_.rho_inf, own_.step_cuts);
  w_.step_forces().back().retiming_after = retiming_;
}

void DecoupledStep::retime(State& state, double factor) {
  state.auxiliary = state.acceleration + factor * (state.auxiliary - state.acceleration);
  w_.system->clear_prescribed(state.auxiliary);
  retiming_ *= factor;
}

void DecoupledStep::advance(State& state, double h, double rho_inf, int cuts_left) {
  std::string failure;
  const GeneralizedAlpha alpha = GeneralizedAlpha::with_spectral_radius(rho_inf);
  if (try_step(state, h, alpha, cuts_left == 0, failure)) return;
  if (cuts_left == 0) throw SolverError(failure);
  ++report_.fallbacks[place_of(Fallback::step_cut)];
  const bool is_resolved = rho_inf > 0 && (h < options_.step || w_.resolves_vibrations());
  if (!is_resolved) rho_inf = 0.0;
  State halfway = state;
  if (is_resolved) retime(halfway, 0.5);
  advance(halfway, h / 2, rho_inf, cuts_left - 1);
  const State first = halfway;
  advance(halfway, h / 2, rho_inf, cuts_left - 1);
  if (is_resolved) retime(halfway, 2.0);
  halfway.constraint_impulse +=
      first.constraint_impulse + (h / 2) * (first.constraint_force - halfway.constraint_force);
  halfway.contact_impulse += first.contact_impulse;
  halfway.contact_impulse_change.setZero();
  halfway.position_multiplier_change.setZero();
  halfway.reaction = 0.5 * (halfway.reaction + first.reaction);
  halfway.step = state.step + 1;
  state = std::move(halfway);
}

template <class Problem, class Begin>
bool DecoupledStep::solve(std::size_t place, Solvable<Problem>& problem, const NewtonOptions& newton,
                          const Multipliers& last, const Begin& begin, bool may_accept,
                          std::string& failure) {
  SolveSetting setting =
      last.values == nullptr ? w_.setting(newton) : w_.setting(newton, *last.values, states_n_);
  setting.may_accept = may_accept;
  setting.may_cut = !may_accept;
  setting.expected_change = last.change;
  // With the forces of held contacts the corrections are nearly zero.
  if (last.values != nullptr && w_.held.any()) {
    setting.first_guess = last.values;
    setting.other_guess = &w_.no_multiplier;
    setting.newton.guess_tolerance = predicted_newton(newton.max_iterations, true).guess_tolerance;
  }
  const NewtonReport report = w_.try_solve(problem, setting, report_, place, begin);
  if (!report.converged)
    failure = w_.describe_failure(problem, fmt::format("{} sub-problem", problem.name()), report);
  return report.converged;
}

bool DecoupledStep::try_step(State& state, double h, const GeneralizedAlpha& alpha, bool is_last,
                             std::string& failure) {
  states_n_ = state.contact_state;
  bool has_events = false;
  if (w_.holds_contacts) {
    w_.choose_held_contacts(state, h);
    has_events = w_.closes(state);
  }
  constexpr GeneralizedAlpha at_events = GeneralizedAlpha::without_memory();
  const bool has_forces = own_.variant != DecoupledVariant::without_force_changes;
  if (!solve_all(state, h, has_events ? at_events : alpha, is_last, failure)) return false;
  if (w_.holds_contacts && !has_events && w_.has_rows && w_.pushes_apart(state)) {
    has_events = true;
    w_.choose_held_contacts(state, h);
    if (!solve_all(state, h, at_events, is_last, failure)) return false;
  }
  return end_step(state, h, has_events ? at_events : alpha, has_forces, failure);
}

bool DecoupledStep::solve_all(const State& state, double h, const GeneralizedAlpha& alpha, bool may_accept,
                              std::string& failure) {
  if (!solve_smooth(state, h, alpha, may_accept, failure)) return false;
  w_.smooth.finish(w_.auxiliary);
  if (!w_.has_rows) return true;

  const bool has_forces = own_.variant != DecoupledVariant::without_force_changes;
  const bool has_friction = own_.variant != DecoupledVariant::without_position_friction;
  const auto begin_position = [&] {
    w_.position.begin({.has_forces = has_forces, .has_friction = has_friction});
  };
  const auto last = [&](const Vector& guess, const Vector& values, const Vector& change) {
    return w_.holds_contacts ? Multipliers{.values = &guess}
                             : Multipliers{.values = &values, .change = &change};
  };
  if (!solve(1, w_.position, newton_options(w_.position),
             last(w_.position_guess, state.position_multiplier, state.position_multiplier_change),
             begin_position, may_accept, failure))
    return false;
  const VelocityProblem::Before before = w_.before_impact(state);
  if (!w_.solve_impact(before)) {
    failure = w_.describe_failed_impact();
    return false;
  }
  const auto begin_velocity = [&] {
    w_.velocity.begin(before, w_.position.contact_states(), has_forces,
                      w_.has_impact ? &w_.impact_outcome : nullptr);
  };
  return solve(2, w_.velocity, newton_options(w_.velocity),
               last(w_.velocity_guess, state.contact_impulse, state.contact_impulse_change), begin_velocity,
               may_accept, failure);
}

bool DecoupledStep::solve_smooth(const State& state, double h, const GeneralizedAlpha& alpha, bool may_accept,
                                 std::string& failure) {
  if (w_.holds_contacts) {
    if (w_.held.any() && solve_with_contacts(state, h, alpha)) {
      w_.guess_corrections(h);
      return true;
    }
    w_.held.release();
  }
  const auto begin = [&] { w_.begin_step(state, h, alpha); };
  if (!solve(0, w_.smooth, smooth_options(), {}, begin, may_accept, failure)) return false;
  if (w_.holds_contacts) w_.guess_corrections(h);
  return true;
}

bool DecoupledStep::solve_with_contacts(const State& state, double h, const GeneralizedAlpha& alpha) {
  NewtonOptions newton = predicted_newton(options_.max_iterations, true);
  newton.reuses_tangent = reuses_tangents(w_.smooth);
  SolveSetting setting = w_.setting_without_remedies(w_.smooth.with_other_guess(newton));
  setting.contact_solver = options_.contact_solver;
  // Redundant contacts share their forces in many ways, between which Newton's iteration cycles. Others it solves at once.
  setting.sweeps_first = setting.sweeps_without_remedies = w_.held.are_redundant();
  const std::string culprit = report_.culprit;
  const bool is_solved =
      w_.try_solve(w_.smooth, setting, report_, 0, [&] { w_.begin_step(state, h, alpha); }).converged;
  report_.culprit = culprit;
  return is_solved;
}

bool DecoupledStep::end_step(State& state, double h, const GeneralizedAlpha& alpha, bool has_forces,
                             std::string& failure) {
  failure = w_.describe_fault(w_.end());
  if (!failure.empty()) {
    if (report_.culprit.empty()) report_.culprit = "elements beyond their limits";
    return false;
  }
  w_.commit(state, h, has_forces);
  note_forces(state, h, alpha, has_forces);
  return true;
}

// h f of the smooth motion is replaced by that at the end, unless the other sub-problems have no forces.
void DecoupledStep::note_forces(const State& end, double h, const GeneralizedAlpha& alpha, bool has_forces) {
  StepForces forces = alpha.step_forces(h);
  if (w_.has_rows) {
    forces.points[0] = {.q = &w_.data.smooth.q, .weight = has_forces ? -h : 0.0};
    if (has_forces) forces.points[1].weight = h;
    forces.point_count = has_forces ? 2 : 1;
  }
  forces.retiming = std::exchange(retiming_, 1.0);
  w_.note_forces(forces, h < options_.step ? &end : nullptr);
}

NewtonOptions DecoupledStep::smooth_options() const {
  NewtonOptions options = predicted_newton(options_.max_iterations, false);
  options.reuses_tangent = reuses_tangents(w_.smooth);
  return w_.smooth.with_other_guess(options);
}

NewtonOptions DecoupledStep::newton_options(const Subproblem& problem) const {
  const int half_of_contacts = static_cast<int>(problem.cones().size() / 2);
  return {.max_iterations = options_.max_iterations,
          .full_steps = std::clamp(half_of_contacts, least_full_steps, most_full_steps),
          .reuses_tangent = reuses_tangents(problem)};
}

bool DecoupledStep::reuses_tangents(const Subproblem& problem) const {
  if (own_.reuse != TangentReuse::automatic) return own_.reuse == TangentReuse::always;
  return problem.cones().empty() ? problem.matrix().values.size() >= reuse_entries
                                 : problem.size() >= reuse_size_with_contacts;
}

}  // namespace picus::solvers
