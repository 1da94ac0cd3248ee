#pragma once

/// The schemes with all constraints at velocity level (Chen and others 2013): one semismooth Newton solve a step,
/// contacts chosen by a predicted gap, no correction of positions. Constraints drift and contacts penetrate by
/// what the step makes them; a coordinate projection of the bilateral constraints (eq. 43) is an option. Steps are not cut; the
/// other fallbacks are those of the decoupled scheme.

#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/lcp_sequence.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/solvers/subproblems/velocity_level_problem.hpp>

namespace picus {

/// What solves the equations of a step.
enum class VelocityLevelSolver : std::uint8_t {
  newton,  ///< semismooth Newton for all unknowns (Chen 2013, section 4.1)
  lcp,     ///< a sequence of linear complementarity problems (section 4.2), without friction
};

/// What schemes with constraints at velocity level have beside the options of all.
struct VelocityLevelOptions {
  bool projects = false;  ///< each step ends with a projection on the bilateral constraints
  VelocityLevelSolver solver = VelocityLevelSolver::newton;  ///< of the contacts

  /// Its members as parameters.
  static const ParameterTable<VelocityLevelOptions>& table();
};

class VelocityLevelScheme : public TimeIntegrator {
 public:
  double step_size() const override { return options_.step; }
  /// "velocity-level", and "projection" where steps end with one.
  SubproblemNames subproblem_names() const override;
  FallbackNames fallback_names() const override { return remedy_names_without_cuts; }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

 protected:
  /// Whoever derives has checked the options.
  VelocityLevelScheme(const SchemeOptions& options, const VelocityLevelOptions& level);

  /// The difference formulas of a step of size h from `state`.
  virtual void begin_step(const State& state, double h, DifferenceFormulas& formulas) const = 0;
  /// Gaps that decide which contacts the step may close, contact row layout. `start` are the gaps where the
  /// iteration starts, with vd = vd_n and W = 0; `now` those of t_n.
  virtual void predict_gaps(const State& state, double h, const Vector& now, const Vector& start,
                            Vector& gaps) const = 0;
  /// Takes State::auxiliary from t_n to t_{n+1}, with the smooth accelerations of both.
  virtual void advance_auxiliary(const Vector& acceleration_n, const Vector& acceleration,
                                 Vector& auxiliary) const = 0;

  SchemeOptions options_;  ///< as given

 private:
  struct Workspace : SchemeWorkspace {
    Workspace(const System& system, const SchemeOptions& options, VelocityLevelSolver kind,
              const Configuration& q);
    Solvable<VelocityLevelProblem> problem;
    Solvable<PositionProblem> projection;
    std::unique_ptr<LcpSequence> lcp;  ///< null: Newton
    DifferenceFormulas formulas;
    Vector gaps_now, gaps_start, gaps;
    Vector acceleration;
  };
  /// Builds the workspace for steps from states near q.
  void build(const System& system, const Configuration& q);
  void begin(const State& state, double h);
  void choose_pivots(const State& state);
  /// Throws SolverError where no remedy helps.
  void solve_step(const State& state, double h, StepReport& report);
  /// Whether any contact is in it.
  bool choose_active_set(const State& state, double h);
  void project(double h, StepReport& report);
  void commit(State& state);

  VelocityLevelOptions level_;
  StartFindings findings_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace picus
