#include <picus/solvers/integrators/mixed_base_parts.hpp>

namespace picus::solvers {
namespace {

/// v_1 = v_n + h/4 (a_n + a_1), q_1 = q_n o exp(h/4 (v_n + v_1)), then
/// v = (4 v_1 - v_n)/3 + h/3 a, dq = 4/3 dq_1 + h/3 v.
class BatheBase : public ImplicitBase {
 public:
  explicit BatheBase(SchemeWorkspace& scheme)
      : ImplicitBase(scheme, MixedBaseKind::bathe), dq_middle_(formulas_.dq_0), lambda_(scheme.data.lambda) {}

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
    formulas_.time = data_.h;
    formulas_.force_rate = formulas_.dq_own = third;
    formulas_.v_0 = (4 * stage_.velocity() - state.v) / 3;
    formulas_.dq_0 = 4.0 / 3.0 * dq_middle_ + third * formulas_.v_0;
    data_.t = state.time + data_.h;
  }

  Vector dq_middle_, lambda_;
};

}  // namespace

std::unique_ptr<MixedBase> make_bathe_base(SchemeWorkspace& scheme) {
  return std::make_unique<BatheBase>(scheme);
}

}  // namespace picus::solvers
