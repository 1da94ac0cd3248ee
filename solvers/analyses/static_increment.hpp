#pragma once

#include <picus/solvers/analyses/free_motion.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/analyses/static_problem.hpp>

#include <string>

namespace picus::solvers {

/// What a static analysis keeps from increment to increment.
struct StaticWorkspace {
  StaticWorkspace(const System& system, const StaticEquilibriumOptions& options);

  StepData data;
  StaticProblem problem;
  std::unique_ptr<LinearSolver> solver;
  NewtonWorkspace work;
  Vector unused, gaps;
  double substep = 0.0;        ///< load factor of the next part of an increment
  double rate = 0.0;           ///< motion per load of the last part, 0: not known
  bool is_determined = false;  ///< no motion was free under load
};

/// The way from one equilibrium to the next: Newton's method, relaxation where the tangent is singular at the
/// outset, and parts of the increment (docs/analyses.md).
class StaticIncrement {
 public:
  StaticIncrement(StaticWorkspace& work, const StaticEquilibriumOptions& options, StepReport& report)
      : w_(work), options_(options), report_(report) {}

  /// Equilibrium at the time of `state` itself. Throws SolverError when there is none.
  void settle(State& state);
  /// Equilibrium at the time of `state` plus h. On SolverError `state` is that of the last part that succeeded.
  void advance(State& state, double h);

 private:
  double load_factor(double time) const { return options_.ramp_loads ? time : 1.0; }
  void set_target(const State& state, double time);
  NewtonReport solve(const State& state, double proximal);
  bool relax(State& state, double time);
  bool try_part(State& state, double next, int& iterations);
  void commit(State& state);

  double motion() const;
  bool contacts_changed(const State& state) const;
  bool leaps(const State& state, double next);
  ResidualNorm residual_at(const State& state, double time);
  bool is_free_at(const State& state);
  SoftestMotion softest(const Vector& push);

  void refuse_free_motion(double time);
  void refuse_driven_motion(double time);
  void refuse_fault(double time) const;
  [[noreturn]] void throw_free_motion(const SoftestMotion& motion, double time) const;
  [[noreturn]] void refuse(const State& state) const;

  StaticWorkspace& w_;
  const StaticEquilibriumOptions& options_;
  StepReport& report_;
  std::string failure_;
  double way_ = 0.0;    ///< of the last relaxation, in sizes of the model
  Vector last_motion_;  ///< its last step
};

}  // namespace picus::solvers
