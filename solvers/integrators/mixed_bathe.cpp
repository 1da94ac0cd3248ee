#include <picus/solvers/integrators/mixed_base_parts.hpp>

namespace picus::solvers {
namespace {

/// v_1 = v_n + h/4 (a_n + a_1), q_1 = q_n o exp(h/4 (v_n + v_1)), then
/// v = (4 v_1 - v_n)/3 + h/3 a, dq = 4/3 dq_1 + h/3 v.
class BatheBase : public ImplicitBase {
 public:
  explicit BatheBase(SchemeWorkspace& scheme)
      : ImplicitBase(scheme, MixedBaseKind::bathe),
        dq_middle_(formulas_.dq_0),
        v_middle_(dq_middle_),
        lambda_(scheme.data.lambda),
        q_middle_(scheme.data.q) {}

  void start(const State& state) override {
    begin_first(state);
    choose_stage_pivots();
  }

  void step(const State& state, const std::vector<char>& active, Motion& motion,
            StepReport& report) override {
    close(active, stage_);
    solve(
        state, stage_, *solver_, work_, data_.h / 4, [&] { begin_first(state); }, report);
    prepare_second(state, motion);
    const auto begin_second = [&] { stage_.begin(formulas_, motion.acceleration, lambda_); };
    solve(state, stage_, *solver_, work_, data_.h / 3, begin_second, report);
    copy_results(stage_, motion);
    add_quadrature(motion);
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

  /// Initial values of the second stage from the results of the first.
  void prepare_second(const State& state, Motion& motion) {
    const double third = data_.h / 3;
    motion.acceleration = stage_.acceleration();
    motion.inner_impulse = third * stage_.contact_force();
    lambda_ = stage_.bilateral_force();
    dq_middle_ = data_.dq;
    v_middle_ = stage_.velocity();
    q_middle_ = data_.q;
    formulas_.time = data_.h;
    formulas_.force_rate = formulas_.dq_own = third;
    formulas_.v_0 = (4 * stage_.velocity() - state.v) / 3;
    formulas_.dq_0 = 4.0 / 3.0 * dq_middle_ + third * formulas_.v_0;
    data_.t = state.time + data_.h;
  }

  /// v - v_n = h/3 (a_n + a_1 + a).
  void add_quadrature(Motion& motion) const {
    const double third = data_.h / 3;
    StepForces forces = weighted_forces(third);
    forces.next = third;
    begin_quadrature(forces, motion);
    note_forces(motion);
    motion.forces.points[1] = {
        .q = &q_middle_, .v = &v_middle_, .time = data_.t - data_.h / 2, .weight = third};
    motion.forces.point_count = 2;
    motion.constraint_impulses = third * lambda_;
    motion.contact_impulses = motion.inner_impulse;
  }

  Vector dq_middle_, v_middle_, lambda_;
  Configuration q_middle_;
};

}  // namespace

std::unique_ptr<MixedBase> make_bathe_base(SchemeWorkspace& scheme) {
  return std::make_unique<BatheBase>(scheme);
}

}  // namespace picus::solvers
