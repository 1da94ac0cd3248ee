#include <picus/error.hpp>
#include <picus/solvers/analyses/free_motion.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/subproblems/static_problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// The first proximal step moves what nothing holds by a tenth of the model's size.
constexpr double first_proximal = 10.0;
/// Pseudo-transient continuation takes more, but cheap iterations.
constexpr int proximal_patience = 8;

/// A motion is free if its energy is this part of what it is summed from and, at an equilibrium, the work of a
/// typical force along it is larger by far. (Geometric stiffness is as inexact as the forces that it comes from.)
constexpr double small_energy = 1e-9;
constexpr double negligible_energy = 1e-7;

/// Newton may have leapt to another branch when the motion per load is this many times what it was.
constexpr double leap = 10.0;
/// ... and no less than this part of the model's size, or this angle.
constexpr double least_leap = 1e-3;
constexpr int easy_iterations = 6;

/// Contact multipliers are eliminated last as long as their dense Schur complement is small.
constexpr Index max_trailing = 64;

void check(bool holds, std::string_view option, double value, std::string_view range) {
  if (!holds) throw OptionError(fmt::format("{} is {}, must be {}", option, value, range));
}

void check_options(const StaticEquilibriumOptions& o) {
  check(o.increments >= 1, "increments", o.increments, "at least 1");
  check(o.tolerance > 0 && o.tolerance <= 1e-2, "tolerance", o.tolerance, "in (0, 0.01]");
  check(o.max_iterations >= 1 && o.max_iterations <= 1000, "max-iterations", o.max_iterations,
        "in [1, 1000]");
  check(o.cuts >= 0 && o.cuts <= 30, "cuts", o.cuts, "in [0, 30]");
  check(std::isfinite(o.scaling) && o.scaling > 0, "scaling", o.scaling, "positive");
  check(o.regularization >= 0 && o.regularization <= 1e-2, "regularization", o.regularization,
        "in [0, 0.01]");
  if (o.angular_velocity && !o.angular_velocity->allFinite())
    throw OptionError("angular-velocity is not finite");
}

}  // namespace

struct StaticEquilibrium::Workspace {
  Workspace(const System& system, const Options& options)
      : data(system),
        problem(data, options.angular_velocity),
        solver(make_linear_solver(options.linear_solver, problem.pattern())),
        work(problem.size()),
        unused(Vector::Zero(system.velocity_count())),
        gaps(Vector::Zero(system.contact_row_count())) {
    const Index contact_rows = problem.size() - problem.first_contact_unknown();
    solver->analyze(problem.pattern(), contact_rows <= max_trailing ? contact_rows : 0);
  }

  StepData data;
  StaticProblem problem;
  std::unique_ptr<LinearSolver> solver;
  NewtonWorkspace work;
  Vector unused, gaps;
  double substep = 0.0;        ///< load factor of the next part of an increment
  double rate = 0.0;           ///< motion per load of the last part, 0: not known
  bool is_determined = false;  ///< no motion was free under load
};

/// The way from one equilibrium to another.
class StaticIncrement {
 public:
  StaticIncrement(StaticEquilibrium::Workspace& work, const StaticEquilibriumOptions& options,
                  StepReport& report)
      : w_(work), options_(options), report_(report) {}

  /// Equilibrium at the time of `state` itself.
  void settle(State& state) {
    set_target(state, 0.0);
    NewtonReport report = solve(state, 0.0);
    if (!report.converged) {
      set_target(state, 0.0);
      report = solve(state, first_proximal);
    }
    if (!report.converged) {
      refuse_driven_motion(state.time, small_energy);
      throw SolverError(fmt::format(
          "no equilibrium was found at the start (load factor {}): after {} iterations the residual of {} "
          "is {:.3g} times its tolerance",
          state.load_factor, report.iterations, w_.problem.describe(report.residual.where),
          report.residual.worst));
    }
    commit(state);
  }

  void advance(State& state, double h) {
    const double smallest = std::ldexp(h, -options_.cuts) * (1 - 1e-9);
    const double end = state.time + h;
    while (end - state.time > 1e-9 * h) {
      const double left = end - state.time;
      const double part = std::min(w_.substep, left);
      const bool is_last = part > left * (1 - 1e-9);
      const double next = is_last ? end : state.time + part;
      int iterations = 0;
      if (try_part(state, next, iterations)) {
        if (iterations <= easy_iterations) w_.substep = std::min(2 * w_.substep, h);
        continue;
      }
      if (part / 2 < smallest) refuse(state);
      w_.substep = part / 2;
      ++report_.fallbacks[static_cast<std::size_t>(Fallback::step_cut)];
    }
  }

 private:
  double load_factor(double time) const { return options_.ramp_loads ? time : 1.0; }

  void set_target(const State& state, double h) {
    StepData& d = w_.data;
    d.q_n = &state.q;
    d.h = h;
    d.t = state.time + h;
    d.dq_smooth.setZero();
    if (d.system->has_driven_dofs() && h > 0) {
      Vector& unused = w_.unused;
      d.system->prescribe(state.time, h, d.dq_smooth, unused, d.v_smooth);
    }
  }

  NewtonReport solve(const State& state, double proximal) {
    w_.problem.begin(state.constraint_force, state.contact_impulse, load_factor(w_.data.t), proximal);
    const int most = options_.max_iterations;
    // Continuation needs no residual that falls from step to step.
    const NewtonOptions options = proximal > 0
                                      ? NewtonOptions{most * proximal_patience, most * proximal_patience}
                                      : NewtonOptions{.max_iterations = most};
    const NewtonReport report = solve_newton(w_.problem, *w_.solver, options, w_.work);
    report_.subproblems[0].iterations += report.iterations;
    report_.subproblems[0].line_searches += report.line_searches;
    report_.subproblems[0].residual = report.residual.worst;
    return report;
  }

  bool try_part(State& state, double next, int& iterations) {
    set_target(state, next - state.time);
    NewtonReport report = solve(state, 0.0);
    bool was_free = false;
    if (report.converged && leaps(state, next)) return false;
    if (!report.converged && is_free_at(state)) {
      was_free = true;
      w_.is_determined = false;
      set_target(state, next - state.time);
      report = solve(state, first_proximal);
      if (!report.converged) refuse_driven_motion(next, 1.0);
    }
    if (!report.converged) {
      failure_ =
          fmt::format("after {} iterations the residual of {} is {:.3g} times its tolerance",
                      report.iterations, w_.problem.describe(report.residual.where), report.residual.worst);
      return false;
    }
    if (!w_.is_determined && w_.problem.typical_force() > 0) {
      refuse_free_motion(next);
      w_.is_determined = true;
    }
    iterations = was_free ? easy_iterations + 1 : report.iterations;
    w_.rate = was_free || contacts_changed(state) ? 0.0 : motion() / (next - state.time);
    commit(state);
    state.time = next;
    return true;
  }

  double motion() const {
    const Scales& scales = w_.data.scales;
    double largest = 0;
    for (const Index dof : w_.data.system->free_dofs())
      largest = std::max(largest, std::abs(w_.problem.increment()[dof]) / scales.length(scales.kind(dof)));
    return largest;
  }

  bool contacts_changed(const State& state) const {
    const auto now = w_.problem.contact_states();
    return !std::equal(now.begin(), now.end(), state.contact_state.begin());
  }

  bool leaps(const State& state, double next) {
    if (w_.rate == 0 || contacts_changed(state)) return false;
    const double ratio = motion() / (next - state.time) / w_.rate;
    failure_ = fmt::format(
        "what Newton's method finds is {:.3g} times as far away as the last increment lets expect", ratio);
    return ratio > leap && motion() > least_leap;
  }

  SoftestMotion softest(const Vector& push) {
    return find_softest_motion(*w_.data.system, w_.data.scales, w_.problem.stiffness(),
                               w_.problem.component_stiffness(), *w_.solver, push);
  }

  /// Whether the equilibrium from which the part starts leaves something free.
  bool is_free_at(const State& state) {
    set_target(state, 0.0);
    w_.problem.begin(state.constraint_force, state.contact_impulse, load_factor(state.time), 0.0);
    w_.problem.evaluate(w_.work.r);
    const SoftestMotion motion = softest(Vector::Zero(state.v.size()));
    return !motion.found || motion.is_small(small_energy);
  }

  /// Throws if the iterate last evaluated, which is an equilibrium, leaves a motion free.
  void refuse_free_motion(double time) {
    if (options_.allow_free_motions) return;
    const SoftestMotion motion = softest(Vector::Zero(w_.data.system->velocity_count()));
    const double work = w_.problem.typical_force() * w_.data.scales.length(MotionKind::translation);
    const double negligible = std::max(negligible_energy, 10 * options_.tolerance) * work;
    if (motion.found && motion.is_small(small_energy) && motion.energy <= negligible)
      throw_free_motion(motion, time);
  }

  /// Throws what the forces that are not balanced drive.
  void refuse_driven_motion(double time, double part) {
    const SoftestMotion motion = softest(w_.problem.momentum_residual());
    if (motion.found && motion.is_small(part)) throw_free_motion(motion, time);
  }

  [[noreturn]] void throw_free_motion(const SoftestMotion& motion, double time) {
    throw SolverError(fmt::format(
        "no static equilibrium at load factor {:.6g}: {}", load_factor(time),
        describe_free_motion(*w_.data.system, motion, w_.data.contact_G, w_.problem.contact_states())));
  }

  [[noreturn]] void refuse(const State& state) {
    throw SolverError(
        fmt::format("no equilibrium near load factor {:.6g} (limit point?): from there, in steps of "
                    "{:.3g}, {}",
                    state.time, w_.substep, failure_));
  }

  void commit(State& state) {
    StepData& d = w_.data;
    const System& system = *d.system;
    system.evaluate_gaps(state.q, d.q, w_.gaps);
    const auto states = w_.problem.contact_states();
    for (std::size_t c = 0; c < states.size(); ++c) {
      const auto& block = system.contacts()[c];
      state.contact_state[c] = states[c];
      if (states[c] == ContactState::gap) continue;
      // Of several contacts that hold a body together, some may stand at the limit of friction without sliding.
      const double sliding = w_.gaps.segment(block.first_row + 1, block.rows - 1).norm();
      if (block.rows > 1 && sliding <= options_.tolerance * system.length_scale())
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

  StaticEquilibrium::Workspace& w_;
  const StaticEquilibriumOptions& options_;
  StepReport& report_;
  std::string failure_;
};

StaticEquilibrium::StaticEquilibrium(const Options& options) : options_(options) {
  check_options(options);
}

StaticEquilibrium::~StaticEquilibrium() = default;

TextEntries StaticEquilibrium::options() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  const Vec3 w = options_.angular_velocity.value_or(Vec3::Zero());
  return {{"increments", fmt::format("{}", options_.increments)},
          {"tolerance", fmt::format("{}", options_.tolerance)},
          {"max_iterations", fmt::format("{}", options_.max_iterations)},
          {"cuts", fmt::format("{}", options_.cuts)},
          {"ramp_loads", yes(options_.ramp_loads)},
          {"angular_velocity", fmt::format("{} {} {}", w.x(), w.y(), w.z())},
          {"allow_free_motions", yes(options_.allow_free_motions)},
          {"scaling", fmt::format("{}", options_.scaling)},
          {"regularization", fmt::format("{}", options_.regularization)}};
}

State StaticEquilibrium::start(const System& system) {
  workspace_ = std::make_unique<Workspace>(system, options_);
  Workspace& w = *workspace_;
  w.data.tolerance = options_.tolerance;
  w.substep = step_size();

  State state;
  const Index n = system.velocity_count();
  state.q = system.model().initial_configuration();
  state.v = state.acceleration = state.auxiliary = state.reaction = Vector::Zero(n);
  state.constraint_force = state.constraint_impulse = Vector::Zero(system.row_count());
  state.contact_impulse = state.contact_rate = state.contact_slip = state.position_multiplier =
      Vector::Zero(system.contact_row_count());
  state.contact_state.assign(system.contacts().size(), ContactState::gap);
  state.load_factor = options_.ramp_loads ? 0.0 : 1.0;

  w.data.q_n = &state.q;
  w.data.t = 0.0;
  w.problem.begin(state.constraint_force, state.contact_impulse, 1.0, 0.0);
  w.problem.measure_stiffness(*w.solver, options_.scaling, options_.regularization);
  StepReport report;
  try {
    StaticIncrement(w, options_, report).settle(state);
  } catch (const SolverError&) {
    refuse_incompatible_constraints(system);
    throw;
  }
  warnings_ = check_constraints(system, state.q, state.time);
  return state;
}

StepReport StaticEquilibrium::step(State& state) {
  if (!workspace_) throw SolverError("step() before start()");
  StepReport report;
  report.subproblems[0].name = "static";
  State next = state;
  StaticIncrement(*workspace_, options_, report).advance(next, step_size());
  ++next.step;
  state = std::move(next);
  report.closed_contacts =
      static_cast<int>(std::count_if(state.contact_state.begin(), state.contact_state.end(),
                                     [](ContactState contact) { return contact != ContactState::gap; }));
  return report;
}

State find_equilibrium(const System& system, const StaticEquilibriumOptions& options) {
  StaticEquilibrium statics(options);
  State state = statics.start(system);
  for (int i = 0; i < options.increments; ++i) statics.step(state);
  return state;
}

}  // namespace picus
