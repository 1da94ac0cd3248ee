#include <picus/error.hpp>
#include <picus/solvers/analyses/static_increment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

// Relaxation is pseudo-transient continuation (Kelley and Keyes, SIAM Journal on Numerical Analysis 35, 1998): implicit
// steps of the gradient flow with proximal terms s D (static_problem.hpp). A step moves an unrestrained component by
// 1/s. In this file all motions are relative to the size of the model or in radians.

/// s of the first step, of length 1/10: a fifth of the longest step, so that an easy step may be followed by a longer
/// one.
constexpr double first_proximal = 10.0;
/// The longest accepted step, half the size of the model or half a radian: for a larger rotation the motion deviates
/// from the prediction of the tangent by more than 1/8, 1 - cos(1/2).
constexpr double longest_step = 0.5;
/// A motion of this path length without reaching equilibrium is unrestrained: the farthest equilibrium of a rotation is
/// at a distance of pi.
constexpr double max_path_length = 5.0;
/// The longest path takes 50 steps of the first length; four times as many, since steps are shortened if they fail.
constexpr int max_relaxation_steps = static_cast<int>(4 * max_path_length * first_proximal);
/// Factor of s after an easy step: with s tending to zero the continuation converges superlinearly (Kelley and Keyes).
constexpr double longer = 0.1;
/// A failed step is repeated with a quarter of its length, as in Abaqus/Standard for diverging increments.
constexpr double shorter = 4.0;
/// Steps of 1e-10 are below the resolution of the tolerances of constraints (1e-8 of a thousandth of the size,
/// static_problem.cpp): shorter ones are useless.
constexpr double largest_proximal = 1e10;

/// The motion per load increment of a softening or stiffening structure changes by a small factor between increments; a
/// larger one than this means that the iteration has converged to another branch.
constexpr double leap = 10.0;
/// Motions below a thousandth of the size or of a radian, which is also the reference of rows of gaps and constraints,
/// are not checked: after a negligible motion the ratio is meaningless. Where friction holds what has no stiffness, an
/// equilibrium at most this far away is that of the increment.
constexpr double least_leap = 1e-3;
/// A failed step towards it is repeated with a hundredth of its length, at most twice: where nothing moves the length does
/// not matter, and Newton's method finds the states of many contacts more easily in a short one.
constexpr double near_shorter = 100.0;
constexpr int near_failures = 2;
/// Newton's method converges quadratically from a good start: 1e-1 to 1e-8 in four iterations; six allow two to reach
/// it.
constexpr int easy_iterations = 6;

/// A contact that changes between gap, stick and slip costs one or more iterations, and under small loads nearly all
/// contacts change: a rope on a drum needs some 3 per contact (24 to 64 elements). At most 400, beyond which halving
/// the increment costs less.
constexpr int usual_iterations = 30;
constexpr int iterations_a_contact = 5;
constexpr int max_increment_iterations = 400;

}  // namespace

StaticWorkspace::StaticWorkspace(const System& system, const StaticEquilibriumOptions& options)
    : data(system),
      problem(data, options.angular_velocity),
      solver(problem.make_solver(options.linear_solver)),
      work(problem.size()),
      load_limits(system),
      unused(Vector::Zero(system.velocity_count())),
      gaps(Vector::Zero(system.contact_row_count())) {
  for (const auto& block : system.contacts()) has_friction = has_friction || block.rows > 1;
  for (const auto& [element, role] : system.model().forces()) {
    const Force::Traits traits = role->traits();
    has_energy = has_energy && (traits.has_potential || !traits.depends_on_configuration);
  }
  has_energy = has_energy && !options.angular_velocity;
  if (options.allow_free_motions) problem.restrain_free_motions(indistinct_stiffness);
}

void StaticIncrement::settle(State& state) {
  set_target(state, state.time);
  const NewtonReport report = solve(state, 0.0);
  if (report.converged) {
    refuse_fault(state.time);
    commit(state);
    refuse_overload(state);
    return;
  }
  if (relax(state, state.time)) {
    if (is_interrupted_) return;
    refuse_fault(state.time);
    refuse_overload(state);
    return;
  }
  residual_at(state, state.time);
  refuse_driven_motion(state.time);
  throw SolverError(fmt::format(
      "no equilibrium was found at the start (load factor {}): after {} iterations the residual of "
      "{} is {}",
      state.load_factor, report.iterations, w_.problem.describe(report.residual.where),
      times_tolerance(report.residual.worst)));
}

void StaticIncrement::advance(State& state, double h) {
  const double smallest = std::ldexp(h, -options_.cuts) * (1 - 1e-9);
  const double end = state.time + h;
  while (end - state.time > 1e-9 * h) {
    const double left = end - state.time;
    const double part = std::min(w_.substep, left);
    const double next = part > left * (1 - 1e-9) ? end : state.time + part;
    int iterations = 0;
    if (try_part(state, next, iterations)) {
      if (is_interrupted_) return;
      refuse_overload(state);
      if (iterations <= easy_iterations) w_.substep = std::min(2 * w_.substep, h);
      continue;
    }
    if (part / 2 < smallest) refuse(state, next);
    w_.substep = part / 2;
    ++report_.fallbacks[0];  // a step cut
  }
}

void StaticIncrement::set_target(const State& state, double time) {
  StepData& d = w_.data;
  d.q_n = &state.q;
  d.h = time - state.time;
  d.t = time;
  d.dq_smooth.setZero();
  if (d.system->has_driven_dofs() && d.h > 0)
    d.system->prescribe(state.time, d.h, d.dq_smooth, w_.unused, d.v_smooth);
}

NewtonReport StaticIncrement::solve(const State& state, double proximal) {
  const Profile::Scope clock(w_.data.system->profile(), w_.problem.name());
  w_.problem.begin(state.constraint_force, state.contact_impulse, load_factor(w_.data.t), proximal);
  const auto contacts = static_cast<int>(w_.data.system->contacts().size());
  const int sufficient_iterations =
      usual_iterations + iterations_a_contact * std::min(contacts, max_increment_iterations);
  const int limit =
      options_.max_iterations.value_or(std::min(sufficient_iterations, max_increment_iterations));
  const NewtonReport report =
      solve_newton(w_.problem, *w_.solver, StaticProblem::newton_options(limit), w_.work);
  report_.subproblems[0].iterations += report.iterations;
  report_.subproblems[0].line_searches += report.line_searches;
  const ResidualNorm& residual = report.residual;
  report_.subproblems[0].residual = report.stagnated ? residual.over_rounding : residual.worst;
  return report;
}

/// One implicit step of the gradient flow from `state`, as long as a first step can be.
bool StaticIncrement::take_step(const State& state, double time) {
  for (double proximal = first_proximal; proximal < largest_proximal; proximal *= shorter) {
    set_target(state, time);
    if (solve(state, proximal).converged && motion() <= longest_step) return true;
  }
  return false;
}

bool StaticIncrement::relax(State& state, double time) {
  return relax(state, time, max_path_length);
}

/// Pseudo-transient continuation: implicit steps of the gradient flow, of increasing length, until equilibrium is
/// reached. `state` receives the result, at `time` if it succeeds. A path longer than `reach` fails.
bool StaticIncrement::relax(State& state, double time, double reach) {
  const bool is_near = reach < longest_step;
  double proximal = first_proximal;
  int failures = 0;
  path_length_ = 0;
  is_unbounded_ = false;
  for (int step = 0; step < max_relaxation_steps && path_length_ < reach && proximal < largest_proximal;
       ++step) {
    set_target(state, time);
    const NewtonReport report = solve(state, proximal);
    if (!report.converged || motion() > longest_step) {
      if (is_near && ++failures > near_failures) return false;
      proximal *= is_near ? near_shorter : shorter;
      continue;
    }
    const double moved = motion();
    if (is_near && path_length_ + moved > reach) return false;
    path_length_ += moved;
    is_unbounded_ = path_length_ >= max_path_length;
    if (is_unbounded_) flight_ = describe_motion(largest_motion(w_.problem.increment()));
    commit(state);
    state.time = time;
    if (w_.path_watch != nullptr && w_.path_watch(state.q)) {
      is_interrupted_ = true;
      return true;
    }
    if (StaticProblem::is_balanced(residual_at(state, time))) return true;
    // With friction the iterations say little: states of many contacts take many of them also where hardly anything
    // moves. A step that is too long fails and is shortened.
    const bool is_easy = w_.has_friction || report.iterations <= easy_iterations;
    if (is_easy) proximal *= longer;
  }
  return false;
}

bool StaticIncrement::try_part(State& state, double next, int& iterations) {
  set_target(state, next);
  const NewtonReport report = solve(state, 0.0);
  iterations = report.iterations;
  is_unstable_ = false;
  if (report.converged) {
    if (has_jumped(state, next)) return false;
    failure_ = w_.data.system->find_fault(w_.data.q);
    if (!failure_.empty()) return false;
    if (is_trusted(state, next)) return accept(state, next);
  } else {
    failure_ =
        fmt::format("after {} iterations the residual of {} is {}", report.iterations,
                    w_.problem.describe(report.residual.where), times_tolerance(report.residual.worst));
  }
  if (!is_free_at(state)) {
    if (!is_unstable_) return w_.has_friction && find_near(state, next);
    // No relaxation leads from a state with stiffness: this is where the load leads.
    set_target(state, next);
    if (!solve(state, 0.0).converged || !accept(state, next)) return false;
    warn_of_instability(next);
    w_.is_determined = true;
    return true;
  }
  move_free(state, next);
  w_.pace = -1.0;
  w_.rate = 0.0;
  iterations = easy_iterations + 1;
  return true;
}

/// Accepts what Newton's method has found, unless it has left an equilibrium that friction holds: then that one, or
/// none if friction alone held and the increment is too long to tell whether it still does.
bool StaticIncrement::accept(State& state, double next) {
  const double pace = motion() / (next - state.time);
  const double rate = contacts_changed(state) ? 0.0 : pace;
  if (leaves_contacts(state, next)) {
    const std::string what = describe_motion(largest_motion(w_.problem.increment()));
    if (is_held_by_friction_alone(state)) {
      if (find_near(state, next)) return true;
      failure_ = "contacts no longer hold " + what;
      return false;
    }
    set_target(state, next);
    if (!solve(state, 0.0).converged) return false;
  }
  commit(state);
  state.time = next;
  w_.pace = pace;
  w_.rate = rate;
  return true;
}

/// Whether Newton's method moves much farther than in the last increment where there is friction: it may have left an
/// equilibrium that friction holds.
bool StaticIncrement::leaves_contacts(const State& state, double next) const {
  return w_.has_friction && w_.pace >= 0 && motion() > least_leap &&
         motion() > leap * w_.pace * (next - state.time);
}

/// The equilibrium next to `state`, in which friction holds what has no stiffness.
bool StaticIncrement::find_near(State& state, double next) {
  State near = state;
  if (!relax(near, next, least_leap)) return false;
  failure_ = w_.data.system->find_fault(near.q);
  if (!failure_.empty()) return false;
  w_.pace = path_length_ / (next - state.time);
  w_.rate = 0.0;
  state = near;
  return true;
}

/// Whether what Newton's method has found is to be believed where the last increment tells nothing about its distance.
bool StaticIncrement::is_trusted(const State& state, double next) {
  const bool is_far = motion() > longest_step && motion() > leap * w_.pace * (next - state.time);
  if (w_.has_friction && is_far) {
    failure_ = fmt::format("what Newton's method finds is {:.3g} times the size of the model away", motion());
    return false;
  }
  if (w_.is_determined || !(w_.problem.typical_force() > 0)) return true;
  const bool is_stable = find_least_stiffness(next);
  if (!is_stable && motion() > least_leap) {
    is_unstable_ = true;
    failure_ = "Newton's method finds an unstable equilibrium";
    return false;
  }
  if (!is_stable) warn_of_instability(next);
  w_.is_determined = true;
  return true;
}

/// The equilibrium that a state without stiffness reaches, or an error.
void StaticIncrement::move_free(State& state, double next) {
  State relaxed = state;
  if (!relax(relaxed, next)) {
    const ResidualNorm norm = residual_at(relaxed, next);
    refuse_driven_motion(next);
    throw SolverError(
        fmt::format("no static equilibrium was found at load factor {:.6g}: relaxation from a state without "
                    "stiffness did not come to rest, the residual of {} is {}",
                    load_factor(next), w_.problem.describe(norm.where), times_tolerance(norm.worst)));
  }
  if (!is_interrupted_) {
    refuse_fault(next);
    if (!find_least_stiffness(next)) warn_of_instability(next);
    warn_of_sliding(state, relaxed);
  }
  state = relaxed;
}

double StaticIncrement::motion() const {
  const Scales& scales = w_.data.scales;
  double largest = 0;
  for (const Index dof : w_.data.system->free_dofs())
    largest = std::max(largest, std::abs(w_.problem.increment()[dof]) / scales.length(scales.kind(dof)));
  return largest;
}

bool StaticIncrement::contacts_changed(const State& state) const {
  const auto now = w_.problem.contact_states();
  return !std::equal(now.begin(), now.end(), state.contact_state.begin());
}

bool StaticIncrement::has_jumped(const State& state, double next) {
  if (w_.rate == 0 || contacts_changed(state)) return false;
  const double ratio = motion() / (next - state.time) / w_.rate;
  failure_ = fmt::format(
      "what Newton's method finds is {:.3g} times as far away as the last increment lets expect", ratio);
  return ratio > leap && motion() > least_leap;
}

/// Evaluates the equilibrium residual at `state` without a step.
ResidualNorm StaticIncrement::residual_at(const State& state, double time) {
  set_target(state, time);
  w_.data.dq_smooth.setZero();
  w_.problem.begin(state.constraint_force, state.contact_impulse, load_factor(time), 0.0);
  return w_.problem.evaluate(w_.work.r);
}

void StaticIncrement::commit(State& state) {
  w_.problem.accept();
  StepData& d = w_.data;
  const System& system = *d.system;
  system.evaluate_gaps(state.q, d.q, w_.gaps);
  const auto states = w_.problem.contact_states();
  for (std::size_t c = 0; c < states.size(); ++c) {
    const auto& block = system.contacts()[c];
    state.contact_state[c] = states[c];
    if (states[c] == ContactState::gap) continue;
    // With redundant contacts of a body, some may be at the friction limit without sliding.
    const double sliding = w_.gaps.segment(block.first_row + 1, block.rows - 1).norm();
    if (block.rows > 1 && sliding <= options_.tolerance * d.scales.length(MotionKind::translation))
      state.contact_state[c] = ContactState::stick;
    for (Index i = 1; i < block.rows; ++i)
      state.contact_slip[block.first_row + i] += w_.gaps[block.first_row + i];
  }
  state.q = d.q;
  orthonormalize(system.nodes(), state.q);
  state.constraint_force = w_.problem.multipliers();
  state.contact_impulse = w_.problem.contact_multipliers();
  state.reaction = w_.problem.momentum_residual();
  for (const Index dof : system.free_dofs()) state.reaction[dof] = 0.0;
  state.load_factor = load_factor(d.t);
}

}  // namespace picus::solvers
