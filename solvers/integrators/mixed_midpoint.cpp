#include <picus/solvers/integrators/mixed_base_parts.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

namespace picus::solvers {
namespace {

/// Moreau's midpoint rule: q_m = q_n o exp(h/2 v_n), M(q_m) (v - v_n) = h f(q_m, v_n) + G^T mu + G_c^T P,
/// dq = h/2 (v_n + v). Contacts that are closed at q_m obey the impact law.
class MidpointBase : public ExplicitBase {
 public:
  explicit MidpointBase(SchemeWorkspace& scheme)
      : ExplicitBase(scheme, MixedBaseKind::moreau_midpoint),
        gaps_(Vector::Zero(system().contact_row_count())),
        q_middle_(scheme.data.q),
        v_n_(prescribed_v_) {}

  bool has_impact_law() const override { return true; }

  void start(const State& state) override {
    move_to_middle(state);
    begin(state);
    close_all(system(), stage_);
    choose_pivots(stage_, *solver_, work_.r);
  }

  void step(const State& state, const std::vector<char>& /*active*/, Motion& motion,
            StepReport& report) override {
    move_to_middle(state);
    close_where_closed();
    solve(
        state, stage_, *solver_, work_, data_.h, [&] { begin(state); }, report);
    copy_results(stage_, data_.h, motion);
    add_quadrature(state, motion);
    data_.dq = data_.h / 2 * (state.v + motion.v);
    prescribe(state, data_.h);
    data_.t = state.time + data_.h;
    retract(system().nodes(), state.q, data_.dq, data_.q);
  }

 private:
  /// v - v_n = h a, with the velocity of the forces at t_n.
  void add_quadrature(const State& state, Motion& motion) {
    q_middle_ = data_.q;
    v_n_ = state.v;
    begin_quadrature(weighted_forces(), motion);
    motion.forces.points[0] = {.q = &q_middle_, .v = &v_n_, .time = data_.t, .weight = data_.h};
    motion.forces.constraint_columns = &data_.G;
    motion.forces.contact_columns = &data_.contact_G;
    motion.constraint_impulses = stage_.bilateral_multipliers();
    motion.contact_impulses = stage_.contact_multipliers();
  }

  void move_to_middle(const State& state) {
    const double h = data_.h;
    data_.dq = h / 2 * state.v;
    prescribe(state, h / 2);
    retract(system().nodes(), state.q, data_.dq, data_.q);
    prescribe(state, h);  // velocities of t_{n+1}
    data_.t = state.time + h / 2;
    data_.evaluate(system());
  }

  void begin(const State& state) {
    stage_.begin({.force_rate = data_.h,
                  .forces = &data_,
                  .v_forces = &state.v,
                  .v_0 = &state.v,
                  .prescribed = &prescribed_v_,
                  .has_impact_law = true});
  }

  void close_where_closed() {
    system().evaluate_gaps(data_.q, data_.q, gaps_);
    for (std::size_t c = 0; c < system().contacts().size(); ++c)
      stage_.set_candidate(c, gaps_[system().contacts()[c].first_row] <= data_.groups.closing_distance(c));
  }

  Vector gaps_;
  Configuration q_middle_;
  Vector v_n_;
};

}  // namespace

std::unique_ptr<MixedBase> make_midpoint_base(SchemeWorkspace& scheme) {
  return std::make_unique<MidpointBase>(scheme);
}

}  // namespace picus::solvers
