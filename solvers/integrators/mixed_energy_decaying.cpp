#include <picus/solvers/integrators/mixed_base_parts.hpp>
#include <picus/solvers/subproblems/two_stage_problem.hpp>

namespace picus::solvers {
namespace {

/// A jump stage j at t_n and the final one, with y = (q, v) and its rate y':
///
///     y_j = y_n + alpha h/2 ((1 - beta) y'_n + beta y'_j - y'),     y = y_n + h/2 (y'_j + y')
///
/// beta = (1 - rho_inf)/(1 + rho_inf) sets the asymptotic spectral radius, alpha the frequency at which damping begins.
class EnergyDecayingBase : public CommonBase {
 public:
  EnergyDecayingBase(SchemeWorkspace& scheme, double rho_inf, double alpha)
      : CommonBase(scheme, MixedBaseKind::ed_alpha),
        alpha_(alpha),
        beta_((1 - rho_inf) / (1 + rho_inf)),
        jump_data_(system()),
        jump_(jump_data_),
        final_(scheme.data),
        problem_(jump_, final_),
        solver_(make_analyzed_solver(system(), problem_.pattern(), false, 0, *scheme.options)),
        work_(problem_.size()) {
    jump_data_.tolerance = scheme.data.tolerance;
    jump_data_.contact_mass = scheme.data.contact_mass;
    jump_.set_scaling(scheme.options->scaling, scheme.options->regularization);
    final_.set_scaling(scheme.options->scaling, scheme.options->regularization);
    const Vector zero = Vector::Zero(system().velocity_count());
    at_jump_.v_0 = at_jump_.dq_0 = at_end_.v_0 = at_end_.dq_0 = zero;
  }

  void start(const State& state) override {
    jump_data_.redundancies = data_.redundancies;
    begin(state);
    for (ImplicitStage* stage : {&jump_, &final_}) {
      close_all(system(), *stage);
      Vector r(stage->size());
      close_contacts(*stage, r);
    }
    problem_.evaluate(work_.r);
    solver_->factorize(problem_.tangent());
  }

  void step(const State& state, const std::vector<char>& active, Motion& motion,
            StepReport& report) override {
    close(active, jump_);
    close(active, final_);
    solve(
        state, problem_, *solver_, work_, data_.h / 2, [&] { begin(state); }, report);
    copy_results(final_, motion);
    motion.inner_impulse = data_.h / 2 * jump_.contact_force();
    add_quadrature(motion);
    motion.auxiliary = motion.acceleration;
    system().clear_prescribed(motion.auxiliary);
  }

 private:
  /// v - v_n = h/2 (a_j + a).
  void add_quadrature(Motion& motion) const {
    const double half = data_.h / 2;
    begin_quadrature(weighted_forces(), motion);
    motion.forces.points[0].weight = half;
    motion.forces.points[1] = {
        .q = &jump_data_.q, .v = &jump_.velocity(), .time = jump_data_.t, .weight = half};
    motion.forces.point_count = 2;
    motion.constraint_impulses = half * (jump_.bilateral_force() + final_.bilateral_force());
    motion.contact_impulses = half * (jump_.contact_force() + final_.contact_force());
  }

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
    final_.begin(f, state.acceleration, state.constraint_force);
    jump_.begin(j, state.acceleration,
                state.constraint_force);  // again, with the prescribed components of the other stage
  }

  double alpha_, beta_;
  StepData jump_data_;
  ImplicitStage jump_, final_;
  TwoStageProblem problem_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonWorkspace work_;
  StageFormulas at_jump_, at_end_;
};

}  // namespace

std::unique_ptr<MixedBase> make_energy_decaying_base(SchemeWorkspace& scheme, double rho_inf, double alpha) {
  return std::make_unique<EnergyDecayingBase>(scheme, rho_inf, alpha);
}

}  // namespace picus::solvers
