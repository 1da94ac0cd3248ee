#include <picus/error.hpp>
#include <picus/solvers/integrators/coupled_step.hpp>
#include <picus/solvers/newton/flush_denormals.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// Limit of rounds in which each sub-problem is solved separately. Each affects the next one by terms of order h, so
/// that few rounds suffice if they converge.
constexpr int max_rounds = 20;

bool is_solved_alone(const ResidualNorm& norm) {
  return norm.worst <= 1.0;
}

}  // namespace

void CoupledStep::advance(State& state, double h, int max_iterations) {
  const FlushDenormals flush;
  if (!iterate(state, h, max_iterations)) {
    const std::string failure = describe_failure(state.time, h);
    if (w_.system->contacts().empty() || !solve_in_turn(state, h, max_iterations)) throw SolverError(failure);
  }
  for (std::size_t i = 0; i < 3; ++i) report_.subproblems[i].residual = norm_[i].worst;
  w_.smooth.finish(w_.auxiliary);
  w_.refuse_fault(w_.end());
  w_.commit(state, h, false);
  w_.forget_forces();
  w_.note_forces(GeneralizedAlpha::with_spectral_radius(w_.rho_inf).step_forces(h), nullptr);
}

bool CoupledStep::iterate(const State& state, double h, int max_iterations) {
  begin(state, h);
  {
    const Profile::Scope clock = clock_of(0);
    norm_[0] = choose_start(w_.smooth, w_.smooth.with_other_guess({}), w_.smooth.work.r);
  }
  for (iterations_ = 0;; ++iterations_) {
    w_.smooth.store_motion();
    evaluate_position();
    evaluate_velocity();
    if (is_solved()) return true;
    if (iterations_ == max_iterations || !correct()) return false;
    evaluate_smooth();
  }
}

bool CoupledStep::solve_in_turn(const State& state, double h, int max_iterations) {
  begin(state, h);
  const auto begin_smooth = [&] { w_.begin_step(state, h, w_.rho_inf); };
  const auto begin_position = [&] { w_.position.begin({.has_forces = false}); };
  const auto begin_velocity = [&] {
    w_.velocity.begin(w_.before_impact(state), w_.position.contact_states(), false);
  };
  const auto solve = [&](std::size_t i, auto& problem, const Vector& last_multiplier,
                         const auto& begin_anew) {
    NewtonOptions newton{.max_iterations = max_iterations};
    if (i == 0) newton = w_.smooth.with_other_guess(newton);
    SolveSetting setting = w_.setting(newton, last_multiplier, state.contact_state);
    setting.may_accept = setting.may_accept_stalled = false;
    const NewtonReport solved = w_.try_solve(problem, setting, report_, i, begin_anew);
    norm_[i] = solved.residual;
    if (i == 0) w_.smooth.store_motion();
    return solved.converged;
  };
  for (int round = 0; round < max_rounds; ++round) {
    if (!solve(0, w_.smooth, w_.no_multiplier, begin_smooth) ||
        !solve(1, w_.position, state.position_multiplier, begin_position) ||
        !solve(2, w_.velocity, state.contact_impulse, begin_velocity))
      return false;
    // The others are solved for this smooth motion, with the scaling of the remedy that succeeded.
    evaluate_smooth();
    if (is_solved_alone(norm_[0])) return true;
  }
  return false;
}

void CoupledStep::begin(const State& state, double h) {
  state_ = &state;
  w_.begin_step(state, h, w_.rho_inf);
  w_.position.set_contact_multipliers(w_.no_multiplier);
  w_.position.begin({.has_forces = false});
  w_.velocity.set_contact_multipliers(w_.no_multiplier);
  w_.velocity.begin({.v = &state.v, .contact_rate_n = &state.contact_rate}, w_.position.contact_states(),
                    false);
}

bool CoupledStep::is_solved() const {
  return std::ranges::all_of(norm_, [](const ResidualNorm& norm) { return is_solved_alone(norm); });
}

void CoupledStep::evaluate_smooth() {
  const Profile::Scope clock = clock_of(0);
  norm_[0] = w_.smooth.evaluate(w_.smooth.work.r);
}

void CoupledStep::evaluate_position() {
  const Profile::Scope clock = clock_of(1);
  norm_[1] = w_.position.evaluate(w_.position.work.r);
}

void CoupledStep::evaluate_velocity() {
  const Profile::Scope clock = clock_of(2);
  w_.velocity.update_configuration(w_.before_impact(*state_), w_.position.contact_states());
  norm_[2] = w_.velocity.evaluate(w_.velocity.work.r);
}

bool CoupledStep::correct() {
  if (!correct(0, w_.smooth)) return false;
  w_.smooth.store_motion();
  evaluate_position();
  if (!correct(1, w_.position)) return false;
  evaluate_position();
  evaluate_velocity();
  return correct(2, w_.velocity);
}

template <class Problem>
bool CoupledStep::correct(std::size_t i, Solvable<Problem>& problem) {
  if (is_solved_alone(norm_[i])) return true;
  const Profile::Scope clock = clock_of(i);
  if (!std::isfinite(norm_[i].square) || !problem.solver->factorize(problem.tangent())) return false;
  NewtonWorkspace& work = problem.work;
  work.dx = -work.r;
  problem.solver->solve(std::span(work.dx.data(), work.dx.size()));
  ++report_.subproblems[i].iterations;
  if (!work.dx.allFinite()) return false;
  problem.advance(work.dx, 1.0);
  return true;
}

std::string CoupledStep::describe_failure(double t, double h) const {
  const std::array<const Subproblem*, 3> problems = {&w_.smooth, &w_.position, &w_.velocity};
  std::size_t worst = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (!(norm_[i].worst <= norm_[worst].worst)) worst = i;
  }
  return fmt::format(
      "step from t = {} s with h = {} s: the coupled sub-problems do not converge; after {} joint "
      "iterations the {} residual of {} is {}",
      t, h, iterations_, problems[worst]->name(), problems[worst]->describe(norm_[worst].where),
      times_tolerance(norm_[worst].worst));
}

}  // namespace picus::solvers
