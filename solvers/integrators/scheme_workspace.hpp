#pragma once

#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/integrators/solvable.hpp>
#include <picus/solvers/subproblems/load_limits.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// The data that every scheme builds once per run, and the parts of a start and of a step that are common to all.
class SchemeWorkspace {
 public:
  /// Both must outlive it. The effective masses of contacts are those at q.
  SchemeWorkspace(const System& system, const SchemeOptions& options, const Configuration& q);

  /// Computes a consistent initial state by the projection; findings about constraints are added to `findings`.
  State start(Solvable<PositionProblem>& projection, StartFindings& findings);
  /// In place of a start: resumes from `state`, with the findings of the start.
  void resume(const State& state, const StartFindings& findings);
  /// Sets the data for a step of size h from `state`. Throws SolverError if a constraint is beyond the reaction for which
  /// it is valid (LoadLimited); where a scheme has no smooth reactions, it is the mean over the last step.
  void begin_step(const State& state, double h);

  /// Settings of a solve according to the options of the scheme; it starts from open contacts.
  SolveSetting setting(const NewtonOptions& newton) const;
  /// The same with the contact multipliers of the last step as the alternative initial guess. They are the first one
  /// for structures at rest, where many contacts stuck and few slid at the end of the last step (`last_states`), and,
  /// if tangents are reused, wherever many contacts were closed.
  SolveSetting setting(const NewtonOptions& newton, const Vector& last_multiplier,
                       std::span<const ContactState> last_states) const;

  /// Solves with the remedies; the effort is added to sub-problem `place` of `report`.
  template <class Problem, class Begin>
  NewtonReport try_solve(Solvable<Problem>& problem, const SolveSetting& setting, StepReport& report,
                         std::size_t place, const Begin& begin) const {
    return RemediedSolve(problem, {*problem.solver, problem.work, problem.sweeps}, setting, report,
                         report.subproblems[place])
        .solve(begin);
  }
  /// The same; throws SolverError, which calls the problem `what`, if all remedies fail.
  template <class Problem, class Begin>
  void solve(Solvable<Problem>& problem, const SolveSetting& setting, std::string_view what,
             StepReport& report, std::size_t place, const Begin& begin) const {
    const NewtonReport solved = try_solve(problem, setting, report, place, begin);
    if (!solved.converged) throw SolverError(describe_failure(problem, what, solved));
  }

  /// "step from t = ... s with h = ... s: the WHAT was not solved; after ...".
  template <class Problem>
  std::string describe_failure(const Problem& problem, std::string_view what,
                               const NewtonReport& report) const {
    return describe_failure(what, report, problem.describe(report.residual.where));
  }

  /// "step from t = ... s with h = ... s: element ..." if an element violates its limits at q, or a rolling body has
  /// rotated by more than half a turn, so that its slip is unknown; otherwise empty.
  std::string describe_fault(const Configuration& q) const;
  /// Throws SolverError with describe_fault(), before any result of the step is stored.
  void refuse_fault(const Configuration& q) const;

  /// Ends a step at q, with the velocity, rates and reactions that `state` already contains: `law` are the contact
  /// states at the end, `closed` those that determine which contacts were closed during the step.
  void commit(State& state, const Configuration& q, std::span<const ContactState> law,
              std::span<const ContactState> closed);

  /// The motion with whose forces the step begins; null: with those of the last step.
  const ForceRestart* restart() const {
    return averaged_start && is_first_step_ ? &averaged_start->restart : nullptr;
  }

  const System* system;
  const SchemeOptions* options;
  StepData data;
  Vector no_multiplier;
  std::shared_ptr<AveragedStart> averaged_start;  ///< StartFindings::averaged

 private:
  std::string describe_lost_roll(const Configuration& q) const;
  /// The first element whose force is not finite at the end of the step, as the end of a sentence; empty if there is
  /// none.
  std::string describe_undefined_force() const;
  std::string describe_failure(std::string_view what, const NewtonReport& report,
                               const std::string& culprit) const;

  void refuse_overload(const State& state, double h) const;

  LoadLimits load_limits_;
  double step_start_ = 0.0;
  bool is_first_step_ = false;
  Vector motion_;
};

}  // namespace picus
