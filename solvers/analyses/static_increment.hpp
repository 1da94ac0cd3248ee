#pragma once

#include <picus/solvers/analyses/free_motion.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/analyses/static_problem.hpp>
#include <picus/solvers/subproblems/load_limits.hpp>

#include <string>
#include <vector>

namespace picus::solvers {

/// The data that a static analysis passes from increment to increment.
struct StaticWorkspace {
  StaticWorkspace(const System& system, const StaticEquilibriumOptions& options);

  StepData data;
  StaticProblem problem;
  std::unique_ptr<LinearSolver> solver;
  NewtonWorkspace work;
  LoadLimits load_limits;
  Vector unused, gaps;
  double substep = 0.0;        ///< load factor of the next sub-increment
  double rate = 0.0;           ///< motion per load factor in the last sub-increment, 0: unknown
  double pace = -1.0;          ///< the same, also where contacts changed; negative: unknown
  bool is_determined = false;  ///< no motion was unrestrained under load
  bool has_friction = false;
  bool has_energy = true;  ///< whether the forces that depend on the configuration have a potential
  TimeIntegrator::PathWatch path_watch;
  std::vector<std::string> warnings;
};

/// The step from one equilibrium to the next: Newton's method, relaxation where the tangent is singular initially, and
/// sub-increments (docs/analyses.md).
class StaticIncrement {
 public:
  StaticIncrement(StaticWorkspace& work, const StaticEquilibriumOptions& options, StepReport& report)
      : w_(work), options_(options), report_(report) {}

  /// Finds the equilibrium at the time of `state` itself. Throws SolverError when there is none.
  void settle(State& state);
  /// Finds the equilibrium at the time of `state` plus h. After SolverError `state` is that of the last successful
  /// sub-increment.
  void advance(State& state, double h);

 private:
  double load_factor(double time) const { return options_.ramp_loads ? time : 1.0; }
  void set_target(const State& state, double time);
  NewtonReport solve(const State& state, double proximal);
  bool relax(State& state, double time);
  bool relax(State& state, double time, double reach);
  bool take_step(const State& state, double time);
  void move_free(State& state, double next);
  bool find_near(State& state, double next);
  bool try_part(State& state, double next, int& iterations);
  bool accept(State& state, double next);
  void commit(State& state);

  double motion() const;
  bool contacts_changed(const State& state) const;
  bool has_jumped(const State& state, double next);
  bool is_trusted(const State& state, double next);
  bool leaves_contacts(const State& state, double next) const;
  bool find_least_stiffness(double time);
  void warn_of_instability(double time);
  void warn_of_sliding(const State& before, const State& after);
  ResidualNorm residual_at(const State& state, double time);
  bool is_free_at(const State& state);
  SoftestMotion softest(const Vector& push);
  SoftestMotion softest_in(const SparseMatrix& stiffness, const Vector& push);
  bool is_held_by_friction_alone(const State& state);
  SoftestMotion largest_motion(const Vector& x) const;
  std::string describe_motion(const SoftestMotion& motion) const;

  void refuse_driven_motion(double time);
  void refuse_fault(double time) const;
  void refuse_overload(const State& state) const;
  [[noreturn]] void throw_free_motion(const std::string& motion, double time) const;
  [[noreturn]] void refuse(const State& state, double next);

  StaticWorkspace& w_;
  const StaticEquilibriumOptions& options_;
  StepReport& report_;
  std::string failure_;
  double path_length_ = 0.0;     ///< path length of the last relaxation, relative to the model's size
  std::string flight_;           ///< what moved in the last step of one that went on without an end
  Index softest_dof_ = 0;        ///< the component that moves most in the softest motion
  bool is_unbounded_ = false;    ///< it went on without an end
  bool is_unstable_ = false;     ///< Newton's method has found an unstable equilibrium
  bool is_interrupted_ = false;  ///< the path met contacts that are not among those of the system
};

}  // namespace picus::solvers
