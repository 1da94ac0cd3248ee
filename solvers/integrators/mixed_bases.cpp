#include <picus/error.hpp>
#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/integrators/mixed_base.hpp>
#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/subproblems/explicit_stage_problem.hpp>
#include <picus/solvers/subproblems/stage_problem.hpp>
#include <picus/solvers/subproblems/two_stage_problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace picus {
namespace {

/// What all bases share.
class BaseOnData : public MixedBase {
 protected:
  BaseOnData(StepData& data, const DecoupledNsgaOptions& options, MixedBaseKind kind)
      : data_(data), options_(options), kind_(kind) {}

  const System& system() const { return *data_.system; }

  template <class Problem>
  static void close(const std::vector<char>& held, Problem& problem) {
    for (std::size_t c = 0; c < held.size(); ++c) problem.set_closed(c, held[c] != 0);
  }

  template <class Problem>
  static void close_all(const System& system, Problem& problem) {
    for (std::size_t c = 0; c < system.contacts().size(); ++c) problem.set_closed(c, true);
  }

  /// `begin` sets the problem to its first guess, with the contact multipliers that it has been given. `force_rate` times
  /// a contact force is a multiplier.
  template <class Problem, class Begin>
  void solve(const State& state, Problem& problem, LinearSolver& solver, NewtonWorkspace& work,
             double force_rate, const Begin& begin, StepReport& report) {
    // A guess within the tolerance, step after step, would add up. Without contacts a residual has no reason to grow.
    NewtonOptions newton{.max_iterations = options_.max_iterations, .good_start = 1e-4};
    if (std::ranges::none_of(problem.cones(), &ContactCone::enabled)) newton.full_steps = 0;
    const auto rows = static_cast<Index>(problem.contact_multipliers().size());
    no_multiplier_.setZero(rows);
    last_multiplier_.resize(rows);
    const Index one = system().contact_row_count();
    for (Index first = 0; first < rows; first += one)
      last_multiplier_.segment(first, one) = force_rate / data_.h * state.contact_impulse;
    const SolveSetting setting{.newton = newton,
                               .policy = options_.fallbacks,
                               .scaling = options_.scaling,
                               .regularization = options_.regularization,
                               .no_multiplier = &no_multiplier_,
                               .last_multiplier = &last_multiplier_};
    const NewtonReport solved =
        RemediedSolve(problem, solver, work, setting, report, report.subproblems[0]).solve(begin);
    if (solved.converged) return;
    throw SolverError(
        fmt::format("step from t = {} s with h = {} s: the stage to t = {} s (base {}) was not solved; after "
                    "{} iterations the "
                    "residual of {} is {:.3g} times its tolerance",
                    state.time, data_.h, data_.t, name_of(kind_), solved.iterations,
                    problem.describe(solved.residual.where), solved.residual.worst));
  }

  /// Takes what the last stage of a step gives.
  void take(const StageProblem& stage, Motion& motion) const {
    motion.v = stage.velocity();
    motion.acceleration = stage.acceleration();
    motion.constraint_force = stage.bilateral_force();
    motion.contact_impulse = data_.h * stage.contact_force();
    motion.reaction = stage.reaction();
    motion.contact_state.assign(stage.contact_states().begin(), stage.contact_states().end());
  }

  StepData& data_;
  const DecoupledNsgaOptions& options_;
  MixedBaseKind kind_;

 private:
  Vector no_multiplier_, last_multiplier_;
};

/// One implicit stage problem, used once or several times a step.
class ImplicitBase : public BaseOnData {
 protected:
  ImplicitBase(StepData& data, const DecoupledNsgaOptions& options, MixedBaseKind kind)
      : BaseOnData(data, options, kind),
        stage_(data),
        solver_(make_analyzed_solver(stage_.matrix(), false, data.system->contact_row_count(), options)),
        work_(stage_.size()) {
    stage_.set_scaling(options.scaling, options.regularization);
    formulas_.v_0 = formulas_.dq_0 = Vector::Zero(data.system->velocity_count());
  }

  void choose_stage_pivots() {
    close_all(system(), stage_);
    choose_pivots(stage_, *solver_, work_.r);
  }

  StageProblem stage_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonWorkspace work_;
  StageFormulas formulas_;
};

/// (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vd + alpha_f vd_n, with a in Newmark's formulas.
class AlphaBase : public ImplicitBase {
 public:
  AlphaBase(StepData& data, const DecoupledNsgaOptions& options)
      : ImplicitBase(data, options, MixedBaseKind::generalized_alpha),
        alpha_(GeneralizedAlpha::with_spectral_radius(options.rho_inf)) {}

  void start(const State& state) override {
    begin(state);
    choose_stage_pivots();
  }

  void step(const State& state, const std::vector<char>& held, Motion& motion, StepReport& report) override {
    close(held, stage_);
    solve(
        state, stage_, *solver_, work_, data_.h * alpha_.gamma, [&] { begin(state); }, report);
    take(stage_, motion);
    const auto& [alpha_m, alpha_f, gamma, beta] = alpha_;
    motion.auxiliary =
        ((1 - alpha_f) * motion.acceleration + alpha_f * state.acceleration - alpha_m * state.auxiliary) /
        (1 - alpha_m);
    system().clear_prescribed(motion.auxiliary);
  }

 private:
  void begin(const State& state) {
    const auto& [alpha_m, alpha_f, gamma, beta] = alpha_;
    const double h = data_.h;
    const double a_rate = (1 - alpha_f) / (1 - alpha_m);
    const Vector& a_n = state.auxiliary;
    StageFormulas& f = formulas_;
    f.time = h;
    f.force_rate = h * gamma * a_rate;
    f.dq_own = h * beta / gamma;
    f.v_0 = (alpha_f * state.acceleration - alpha_m * a_n) / (1 - alpha_m);  // a_{n+1} - a_rate vd
    f.dq_0 = h * state.v + h * h * (0.5 - beta) * a_n + h * h * beta * f.v_0;
    f.v_0 = state.v + h * (1 - gamma) * a_n + h * gamma * f.v_0;
    data_.t = state.time + h;
    stage_.begin(f, state.acceleration, state.constraint_force);
  }

  GeneralizedAlpha alpha_;
};

/// v_1 = v_n + h/4 (a_n + a_1), q_1 = q_n o exp(h/4 (v_n + v_1)), then
/// v = (4 v_1 - v_n)/3 + h/3 a, dq = 4/3 dq_1 + h/3 v.
class BatheBase : public ImplicitBase {
 public:
  BatheBase(StepData& data, const DecoupledNsgaOptions& options)
      : ImplicitBase(data, options, MixedBaseKind::bathe), dq_middle_(formulas_.dq_0), lambda_(data.lambda) {}

  void start(const State& state) override {
    begin_first(state);
    choose_stage_pivots();
  }

  void step(const State& state, const std::vector<char>& held, Motion& motion, StepReport& report) override {
    close(held, stage_);
    solve(
        state, stage_, *solver_, work_, data_.h / 4, [&] { begin_first(state); }, report);
    prepare_second(state, motion);
    const auto begin_second = [&] { stage_.begin(formulas_, motion.acceleration, lambda_); };
    solve(state, stage_, *solver_, work_, data_.h / 3, begin_second, report);
    take(stage_, motion);
    motion.auxiliary = motion.acceleration;
    system().clear_prescribed(motion.auxiliary);
  }

 private:
  void begin_first(const State& state) {
    const double quarter = data_.h / 4;
    formulas_.time = data_.h / 2;
    formulas_.force_rate = formulas_.dq_own = quarter;
    formulas_.v_0 = state.v + quarter * state.acceleration;
    formulas_.dq_0 = quarter * (state.v + formulas_.v_0);
    data_.t = state.time + data_.h / 2;
    stage_.begin(formulas_, state.acceleration, state.constraint_force);
  }

  /// Takes from the first stage what the second starts from.
  void prepare_second(const State& state, Motion& motion) {
    const double third = data_.h / 3;
    motion.acceleration = stage_.acceleration();
    lambda_ = stage_.bilateral_force();
    dq_middle_ = data_.dq;
    formulas_.time = data_.h;
    formulas_.force_rate = formulas_.dq_own = third;
    formulas_.v_0 = (4 * stage_.velocity() - state.v) / 3;
    formulas_.dq_0 = 4.0 / 3.0 * dq_middle_ + third * formulas_.v_0;
    data_.t = state.time + data_.h;
  }

  Vector dq_middle_, lambda_;
};

/// A jump stage j at t_n and the final one, with y = (q, v) and its rate y':
///
///     y_j = y_n + alpha h/2 ((1 - beta) y'_n + beta y'_j - y'),     y = y_n + h/2 (y'_j + y')
///
/// beta = (1 - rho_inf)/(1 + rho_inf) sets the asymptotic spectral radius, alpha where damping begins.
class EnergyDecayingBase : public BaseOnData {
 public:
  EnergyDecayingBase(StepData& data, const DecoupledNsgaOptions& options, double alpha)
      : BaseOnData(data, options, MixedBaseKind::ed_alpha),
        alpha_(alpha),
        beta_((1 - options.rho_inf) / (1 + options.rho_inf)),
        jump_data_(*data.system),
        jump_(jump_data_),
        final_(data),
        problem_(jump_, final_),
        solver_(make_analyzed_solver(problem_.pattern(), false, 0, options)),
        work_(problem_.size()) {
    jump_data_.tolerance = data.tolerance;
    jump_data_.contact_mass = data.contact_mass;
    jump_.set_scaling(options.scaling, options.regularization);
    final_.set_scaling(options.scaling, options.regularization);
    const Vector zero = Vector::Zero(data.system->velocity_count());
    at_jump_.v_0 = at_jump_.dq_0 = at_end_.v_0 = at_end_.dq_0 = zero;
  }

  void start(const State& state) override {
    begin(state);
    for (StageProblem* stage : {&jump_, &final_}) {
      close_all(system(), *stage);
      Vector r(stage->size());
      close_contacts(*stage, r);
    }
    problem_.evaluate(work_.r);
    solver_->factorize(problem_.tangent());
  }

  void step(const State& state, const std::vector<char>& held, Motion& motion, StepReport& report) override {
    close(held, jump_);
    close(held, final_);
    solve(
        state, problem_, *solver_, work_, data_.h / 2, [&] { begin(state); }, report);
    take(final_, motion);
    motion.auxiliary = motion.acceleration;
    system().clear_prescribed(motion.auxiliary);
  }

 private:
  void begin(const State& state) {
    const double half = data_.h / 2;
    jump_data_.q_n = data_.q_n;
    jump_data_.v_n = data_.v_n;
    jump_data_.h = data_.h;
    jump_data_.impulse_n = data_.impulse_n;
    jump_data_.t = state.time;
    data_.t = state.time + data_.h;

    StageFormulas& j = at_jump_;
    j.time = 0.0;
    j.force_rate = half;
    j.v_own = alpha_ * beta_;
    j.v_other = -alpha_;
    j.v_0 = state.v + alpha_ * half * (1 - beta_) * state.acceleration;
    j.dq_own = alpha_ * half * (beta_ * j.v_own - 1);
    j.dq_other = alpha_ * half * (beta_ * j.v_other - 1);
    j.dq_0 = alpha_ * half * beta_ * (j.v_0 - state.v);

    StageFormulas& f = at_end_;
    f.time = data_.h;
    f.force_rate = half;
    f.v_own = f.v_other = 1.0;
    f.v_0 = state.v;
    f.dq_own = half * (1 + j.v_other);
    f.dq_other = half * (1 + j.v_own);
    f.dq_0 = half * (j.v_0 + state.v);

    jump_.begin(j, state.acceleration, state.constraint_force);
    final_.begin(f, state.acceleration, state.constraint_force, &jump_.increment());
    jump_.begin(j, state.acceleration, state.constraint_force, &final_.increment());
  }

  double alpha_, beta_;
  StepData jump_data_;
  StageProblem jump_, final_;
  TwoStageProblem problem_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonWorkspace work_;
  StageFormulas at_jump_, at_end_;
};

class ExplicitBase : public BaseOnData {
 protected:
  ExplicitBase(StepData& data, const DecoupledNsgaOptions& options, MixedBaseKind kind)
      : BaseOnData(data, options, kind),
        stage_(data),
        solver_(make_analyzed_solver(stage_.matrix(), false, data.system->contact_row_count(), options)),
        work_(stage_.size()),
        given_v_(Vector::Zero(data.system->velocity_count())),
        given_a_(given_v_),
        q_1_(data.q) {
    stage_.set_scaling(options.scaling, options.regularization);
  }

  void take(const ExplicitStageProblem& stage, double force_rate, Motion& motion) const {
    motion.v = stage.velocity();
    motion.acceleration = stage.increment() / force_rate;
    motion.auxiliary = motion.acceleration;
    system().clear_prescribed(motion.auxiliary);
    motion.constraint_force = stage.bilateral_multipliers() / force_rate;
    motion.contact_impulse = data_.h / force_rate * stage.contact_multipliers();
    motion.reaction = stage.reaction_impulse() / force_rate;
    motion.contact_state.assign(stage.contact_states().begin(), stage.contact_states().end());
  }

  /// Prescribed components over (t_n, t_n + time].
  void prescribe(const State& state, double time) {
    system().prescribe(state.time, time, data_.dq, given_v_, given_a_);
  }

  ExplicitStageProblem stage_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonWorkspace work_;
  Vector given_v_, given_a_;
  Configuration q_1_;  ///< an intermediate configuration
};

/// Moreau's midpoint rule: q_m = q_n o exp(h/2 v_n), M(q_m) (v - v_n) = h f(q_m, v_n) + G^T mu + G_c^T P,
/// dq = h/2 (v_n + v). Contacts that are closed at q_m obey the impact law.
class MidpointBase : public ExplicitBase {
 public:
  MidpointBase(StepData& data, const DecoupledNsgaOptions& options)
      : ExplicitBase(data, options, MixedBaseKind::moreau_midpoint),
        gaps_(Vector::Zero(data.system->contact_row_count())) {}

  bool has_impact_law() const override { return true; }

  void start(const State& state) override {
    move_to_middle(state);
    begin(state);
    close_all(system(), stage_);
    choose_pivots(stage_, *solver_, work_.r);
  }

  void step(const State& state, const std::vector<char>& /*held*/, Motion& motion,
            StepReport& report) override {
    move_to_middle(state);
    close_at(q_1_);
    solve(
        state, stage_, *solver_, work_, data_.h, [&] { begin(state); }, report);
    take(stage_, data_.h, motion);
    data_.dq = data_.h / 2 * (state.v + motion.v);
    prescribe(state, data_.h);
    data_.t = state.time + data_.h;
    retract(system().nodes(), state.q, data_.dq, data_.q);
  }

 private:
  void move_to_middle(const State& state) {
    const double h = data_.h;
    data_.dq = h / 2 * state.v;
    prescribe(state, h / 2);
    retract(system().nodes(), state.q, data_.dq, q_1_);
    prescribe(state, h);  // velocities of t_{n+1}
    data_.t = state.time + h / 2;
  }

  void begin(const State& state) {
    stage_.begin({.force_rate = data_.h,
                  .q_forces = &q_1_,
                  .v_forces = &state.v,
                  .t_forces = data_.t,
                  .q_rows = &q_1_,
                  .t_rows = data_.t,
                  .v_0 = &state.v,
                  .prescribed = &given_v_,
                  .has_impact_law = true});
  }

  void close_at(const Configuration& q) {
    system().evaluate_gaps(q, q, gaps_);
    for (std::size_t c = 0; c < system().contacts().size(); ++c)
      stage_.set_closed(c, gaps_[system().contacts()[c].first_row] <= closing_distance(system()));
  }

  Vector gaps_;
};

/// The explicit trapezoidal rule, its reactions such that constraints and closed contacts hold at velocity level at the
/// end of both stages:
///
///     M(q_n) (v_1 - v_n) = h f_n + h G_n^T lambda_n,              G v = 0 at q_1 = q_n o exp(h v_n), v_1
///     v - (v_n + v_1)/2 = h/2 M(q_1)^-1 (f_1 + G_1^T lambda_1),   G v = 0 at q = q_n o exp(h/2 (v_n + v_1)), v
class HalfExplicitBase : public ExplicitBase {
 public:
  HalfExplicitBase(StepData& data, const DecoupledNsgaOptions& options)
      : ExplicitBase(data, options, MixedBaseKind::half_explicit), v_1_(given_v_), v_half_(given_v_) {}

  void start(const State& state) override {
    begin_first(state);
    close_all(system(), stage_);
    choose_pivots(stage_, *solver_, work_.r);
  }

  void step(const State& state, const std::vector<char>& held, Motion& motion, StepReport& report) override {
    close(held, stage_);
    solve(
        state, stage_, *solver_, work_, data_.h, [&] { begin_first(state); }, report);
    prepare_second(state);
    solve(
        state, stage_, *solver_, work_, data_.h / 2, [&] { begin_second(); }, report);
    take(stage_, data_.h / 2, motion);
  }

 private:
  void begin_first(const State& state) {
    const double h = data_.h;
    data_.t = state.time + h;
    data_.dq = h * state.v;
    prescribe(state, h);
    retract(system().nodes(), state.q, data_.dq, q_1_);
    stage_.begin({.force_rate = h,
                  .q_forces = &state.q,
                  .v_forces = &state.v,
                  .t_forces = state.time,
                  .q_rows = &q_1_,
                  .t_rows = data_.t,
                  .v_0 = &state.v,
                  .prescribed = &given_v_});
  }

  /// Takes from the first stage what the second starts from.
  void prepare_second(const State& state) {
    const double h = data_.h;
    v_1_ = stage_.velocity();
    v_half_ = (state.v + v_1_) / 2;
    data_.dq = h * v_half_;
    prescribe(state, h);
    retract(system().nodes(), state.q, data_.dq, data_.q);
  }

  void begin_second() {
    stage_.begin({.force_rate = data_.h / 2,
                  .q_forces = &q_1_,
                  .v_forces = &v_1_,
                  .t_forces = data_.t,
                  .q_rows = &data_.q,
                  .t_rows = data_.t,
                  .v_0 = &v_half_,
                  .prescribed = &given_v_});
  }

  Vector v_1_, v_half_;
};

}  // namespace

MixedBase::Motion::Motion(const System& system)
    : v(Vector::Zero(system.velocity_count())),
      acceleration(v),
      auxiliary(v),
      constraint_force(Vector::Zero(system.row_count())),
      contact_impulse(Vector::Zero(system.contact_row_count())),
      reaction(v),
      contact_state(system.contacts().size(), ContactState::gap) {}

std::string_view name_of(MixedBaseKind base) {
  switch (base) {
    case MixedBaseKind::generalized_alpha:
      return "generalized-alpha";
    case MixedBaseKind::bathe:
      return "bathe";
    case MixedBaseKind::ed_alpha:
      return "ed-alpha";
    case MixedBaseKind::moreau_midpoint:
      return "moreau-midpoint";
    case MixedBaseKind::half_explicit:
      return "half-explicit";
  }
  return "";
}

double closing_distance(const System& system) {
  return 100 * std::numeric_limits<double>::epsilon() * system.length_scale();
}

void find_held(const System& system, const State& state, const DecoupledNsgaOptions& options, Vector& gaps,
               std::vector<char>& held) {
  const double distance = closing_distance(system);
  system.evaluate_gaps(state.q, state.q, gaps);
  const double speed = 10 * options.tolerance * state.v.lpNorm<Eigen::Infinity>() + distance / options.step;
  for (std::size_t c = 0; c < held.size(); ++c) {
    const Index row = system.contacts()[c].first_row;
    const bool approaches = state.contact_state[c] == ContactState::gap && state.contact_rate[row] < -speed;
    held[c] = gaps[row] <= distance && !approaches ? 1 : 0;
  }
}

std::unique_ptr<MixedBase> make_mixed_base(StepData& data, const DecoupledNsgaOptions& options,
                                           const MixedOptions& own) {
  switch (own.base) {
    case MixedBaseKind::generalized_alpha:
      return std::make_unique<AlphaBase>(data, options);
    case MixedBaseKind::bathe:
      return std::make_unique<BatheBase>(data, options);
    case MixedBaseKind::ed_alpha:
      return std::make_unique<EnergyDecayingBase>(data, options, own.alpha);
    case MixedBaseKind::moreau_midpoint:
      return std::make_unique<MidpointBase>(data, options);
    case MixedBaseKind::half_explicit:
      return std::make_unique<HalfExplicitBase>(data, options);
  }
  throw OptionError("there is no such base scheme");
}

}  // namespace picus
