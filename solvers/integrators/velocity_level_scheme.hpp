#pragma once

/// Base class of the schemes with all constraints at velocity level (Chen and others 2013): one semismooth Newton solve
/// per step, an active set chosen by predicted gaps, no correction of positions. Constraints drift and contacts
/// penetrate by the amount of a step; a coordinate projection on the bilateral constraints (eq. 43) is optional. Steps
/// are not cut; the other fallbacks are those of the decoupled scheme.

#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/lcp_sequence.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/solvers/subproblems/velocity_level_problem.hpp>

namespace picus {

/// Solver for the equations of a step.
enum class VelocityLevelSolver : std::uint8_t {
  newton,  ///< semismooth Newton for all unknowns (Chen 2013, section 4.1), with line search and remedies
  full_newton,  ///< the same in full steps without remedies, as in the paper
  lcp,          ///< a sequence of linear complementarity problems (section 4.2), without friction
};

/// Options of schemes with constraints at velocity level in addition to SchemeOptions.
struct VelocityLevelOptions {
  bool projects = false;  ///< each step ends with a projection on the bilateral constraints
  VelocityLevelSolver solver = VelocityLevelSolver::newton;  ///< solver for the contacts

  /// All options as parameters.
  static const ParameterTable<VelocityLevelOptions>& table();
};

class VelocityLevelScheme : public TimeIntegrator {
 public:
  double step_size() const override { return options_.step; }
  /// "velocity-level", and "projection" if steps end with one.
  SubproblemNames subproblem_names() const override;
  FallbackNames fallback_names() const override { return remedy_names_without_cuts; }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  std::span<const StepForces> step_forces() const override;
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

 protected:
  /// The derived class has checked the options.
  VelocityLevelScheme(const SchemeOptions& options, const VelocityLevelOptions& level);

  /// Sets the difference formulas of a step of size h from `state`.
  virtual void begin_step(const State& state, double h, DifferenceFormulas& formulas) const = 0;
  /// Predicts the gaps that determine which contacts may close in the step, contact row layout. `start` are the gaps at
  /// the start of the iteration, with vd = vd_n and W = 0; `now` are those at t_n.
  virtual void predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                            Vector& gaps) const = 0;
  /// Quadrature of forces over a step of size h, with forces at its end.
  virtual StepForces quadrature(double h) const = 0;
  /// Advances State::auxiliary from t_n to t_{n+1}, with the smooth accelerations of both.
  virtual void advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                                 Vector& auxiliary) const = 0;

  SchemeOptions options_;  ///< as given to the constructor

 private:
  struct Workspace : SchemeWorkspace {
    Workspace(const System& system, const SchemeOptions& options, VelocityLevelSolver kind,
              const Configuration& q);
    Solvable<VelocityLevelProblem> problem;
    Solvable<PositionProblem> projection;
    std::unique_ptr<LcpSequence> lcp;  ///< null: one of Newton's methods
    DifferenceFormulas formulas;
    Vector gaps_now, gaps_start, gaps;
    Vector acceleration;
    StepForces forces;  ///< of the last step
    // Of a step with projection: where forces acted, and the columns of reactions.
    Configuration q_forces;
    Vector v_forces;
    Gradients columns, contact_columns;
    Vector constraint_force, contact_force;            ///< reactions that act as forces
    Vector no_constraint_impulse, no_contact_impulse;  ///< zeros
  };
  /// Builds the workspace for steps from states near q.
  void build(const System& system, const Configuration& q);
  void begin(const State& state, double h);
  void choose_pivots(const State& state);
  /// Throws SolverError if all remedies fail.
  void solve_step(const State& state, double h, StepReport& report);
  /// Throws SolverError if the iteration does not converge.
  void solve_in_full_steps(NewtonOptions newton, std::string_view what, StepReport& report);
  /// Returns whether any contact is active.
  bool choose_active_set(const State& state, double h);
  void project(double h, StepReport& report);
  void note_forces();
  void commit(State& state);

  VelocityLevelOptions level_;
  StartFindings findings_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace picus
