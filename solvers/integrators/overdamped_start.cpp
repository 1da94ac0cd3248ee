#include <picus/solvers/integrators/overdamped_start.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

namespace picus::solvers {

bool is_overdamped(const System& system, const MassMatrix& mass, const State& state, double h) {
  const Vector& a = state.acceleration;
  const Vector moved = state.v + h * a;
  Vector change = Vector::Zero(a.size());
  system.add_forces({state.q, moved, 0.0}, 1.0, change);
  system.add_forces({state.q, state.v, 0.0}, -1.0, change);
  Vector momentum(a.size());
  mass.multiply(a, momentum);
  double damped = 0.0;
  double inert = 0.0;
  for (const Index dof : system.free_dofs()) {
    damped -= a[dof] * change[dof];
    inert += a[dof] * momentum[dof];
  }
  return damped > inert;
}

std::shared_ptr<AveragedStart> average_overdamped_start(SchemeWorkspace& w, State& state) {
  if (!is_overdamped(*w.system, w.data.mass, state, w.options->step)) return nullptr;
  Solvable<SmoothProblem> problem(*w.options, w.data);
  const Vector unused = Vector::Zero(state.v.size());
  const auto begin = [&] {
    w.begin_step(state, w.options->step);
    problem.begin(GeneralizedAlpha::without_memory(), unused, unused, state.constraint_force);
  };
  begin();
  problem.choose_pivots();
  StepReport report;
  SolveSetting setting = w.setting({.max_iterations = w.options->max_iterations});
  setting.profile = nullptr;
  setting.may_accept = setting.may_accept_stalled = false;
  if (!w.try_solve(problem, setting, report, 0, begin).converged) return nullptr;
  problem.store_motion();
  for (const Index dof : w.system->free_dofs()) state.acceleration[dof] = w.data.acceleration[dof];
  state.auxiliary = state.acceleration;
  w.system->clear_prescribed(state.auxiliary);
  state.constraint_force = w.data.lambda;
  auto start =
      std::make_shared<AveragedStart>(AveragedStart{w.data.smooth.q, w.data.v_smooth, w.data.lambda, {}});
  start->restart = {.point = {.q = &start->q, .v = &start->v, .time = w.data.t},
                    .constraint_force = &start->constraint_force};
  return start;
}

}  // namespace picus::solvers
