#include <picus/solvers/integrators/mixed_base_parts.hpp>

namespace picus::solvers {
namespace {

/// The explicit trapezoidal rule, with reactions such that constraints and closed contacts are satisfied at velocity
/// level at the end of both stages:
///
///     M(q_n) (v_1 - v_n) = h f_n + h G_n^T lambda_n,              G v = 0 at q_1 = q_n o exp(h v_n), v_1
///     v - (v_n + v_1)/2 = h/2 M(q_1)^-1 (f_1 + G_1^T lambda_1),   G v = 0 at q = q_n o exp(h/2 (v_n + v_1)), v
class HalfExplicitBase : public ExplicitBase {
 public:
  explicit HalfExplicitBase(SchemeWorkspace& scheme)
      : ExplicitBase(scheme, MixedBaseKind::half_explicit),
        forces_(system()),
        v_1_(prescribed_v_),
        v_half_(prescribed_v_),
        constraint_impulse_(Vector::Zero(system().row_count())),
        contact_impulse_(Vector::Zero(system().contact_row_count())) {}

  void start(const State& state) override {
    begin_first(state);
    close_all(system(), stage_);
    choose_pivots(stage_, *solver_, work_.r);
  }

  void step(const State& state, const std::vector<char>& active, Motion& motion,
            StepReport& report) override {
    close(active, stage_);
    solve(
        state, stage_, *solver_, work_, data_.h, [&] { begin_first(state); }, report);
    constraint_impulse_ = 0.5 * stage_.bilateral_multipliers();
    contact_impulse_ = 0.5 * stage_.contact_multipliers();
    prepare_second(state);
    solve(
        state, stage_, *solver_, work_, data_.h / 2, [&] { begin_second(); }, report);
    copy_results(stage_, data_.h / 2, motion);
    add_quadrature(motion);
  }

 private:
  /// v - v_n = h/2 (a_n + a_1): f_n is the force at the end of the last step.
  void add_quadrature(Motion& motion) const {
    const double half = data_.h / 2;
    begin_quadrature(weighted_forces(half), motion);
    motion.forces.points[0] = {};
    motion.forces.constraint_force = motion.forces.contact_force = nullptr;  // none at t_n
    motion.forces.points[1] = {.q = &forces_.q, .v = &v_1_, .time = forces_.t, .weight = half};
    motion.forces.point_count = 2;
    motion.constraint_impulses = constraint_impulse_ + stage_.bilateral_multipliers();
    motion.contact_impulses = contact_impulse_ + stage_.contact_multipliers();
  }

  void begin_first(const State& state) {
    const double h = data_.h;
    data_.t = state.time + h;
    data_.dq = h * state.v;
    prescribe(state, h);
    retract(system().nodes(), state.q, data_.dq, data_.q);
    data_.evaluate(system());
    forces_.q = state.q;
    forces_.t = state.time;
    forces_.evaluate(system());
    stage_.begin({.force_rate = h,
                  .forces = &forces_,
                  .v_forces = &state.v,
                  .v_0 = &state.v,
                  .prescribed = &prescribed_v_});
  }

  /// Initial values of the second stage from the results of the first.
  void prepare_second(const State& state) {
    const double h = data_.h;
    v_1_ = stage_.velocity();
    v_half_ = (state.v + v_1_) / 2;
    forces_.q = data_.q;
    forces_.t = data_.t;
    forces_.evaluate(system());
    data_.dq = h * v_half_;
    prescribe(state, h);
    retract(system().nodes(), state.q, data_.dq, data_.q);
    data_.evaluate(system());
  }

  void begin_second() {
    stage_.begin({.force_rate = data_.h / 2,
                  .forces = &forces_,
                  .v_forces = &v_1_,
                  .v_0 = &v_half_,
                  .prescribed = &prescribed_v_});
  }

  StagePoint forces_;  ///< point at which forces act
  Vector v_1_, v_half_;
  Vector constraint_impulse_, contact_impulse_;  ///< half of those of the first stage
};

}  // namespace

std::unique_ptr<MixedBase> make_half_explicit_base(SchemeWorkspace& scheme) {
  return std::make_unique<HalfExplicitBase>(scheme);
}

}  // namespace picus::solvers
