#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/integrators/mixed_base_parts.hpp>

namespace picus::solvers {
namespace {

/// (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vd + alpha_f vd_n, with a in Newmark's formulas.
class AlphaBase : public ImplicitBase {
 public:
  AlphaBase(SchemeWorkspace& scheme, double rho_inf)
      : ImplicitBase(scheme, MixedBaseKind::generalized_alpha),
        alpha_(GeneralizedAlpha::with_spectral_radius(rho_inf)) {}

  void start(const State& state) override {
    predict_motion(alpha_, data_.h, state.v, state.acceleration, state.auxiliary, formulas_);
    begin(state);
    choose_stage_pivots();
  }

  void step(const State& state, const std::vector<char>& active, Motion& motion,
            StepReport& report) override {
    close(active, stage_);
    predict_motion(alpha_, data_.h, state.v, state.acceleration, state.auxiliary, formulas_);
    solve(
        state, stage_, *solver_, work_, formulas_.force_rate, [&] { begin(state); }, report);
    copy_results(stage_, motion);
    begin_quadrature(alpha_.step_forces(data_.h), motion);
    note_forces(motion);
    motion.forces.constraint_columns = &data_.G;
    motion.auxiliary = state.auxiliary;
    advance_auxiliary(alpha_, state.acceleration, motion.acceleration, motion.auxiliary);
    system().clear_prescribed(motion.auxiliary);
  }

 private:
  void begin(const State& state) {
    data_.t = state.time + data_.h;
    stage_.begin(formulas_, state.acceleration, state.constraint_force);
  }

  GeneralizedAlpha alpha_;
};

}  // namespace

std::unique_ptr<MixedBase> make_alpha_base(SchemeWorkspace& scheme, double rho_inf) {
  return std::make_unique<AlphaBase>(scheme, rho_inf);
}

}  // namespace picus::solvers
