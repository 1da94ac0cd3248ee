#pragma once

#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/integrators/solvable.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// What every scheme builds once a run, and the parts of a start and of a step that are the same for all.
class SchemeWorkspace {
 public:
  /// Both must outlive it. The effective masses of contacts are those at q.
  SchemeWorkspace(const System& system, const SchemeOptions& options, const Configuration& q);

  /// A consistent start, by the projection; what it has to say of constraints goes to `findings`.
  State start(Solvable<PositionProblem>& projection, StartFindings& findings);
  /// In place of a start: goes on from `state`, with the findings of the start.
  void resume(const State& state, const StartFindings& findings);
  /// Tells the data of a step of size h from `state`.
  void begin_step(const State& state, double h);

  /// What a solve may do by the options of the scheme; it begins from open contacts.
  SolveSetting setting(const NewtonOptions& newton) const;
  /// The same with the contact multipliers of the last step as the other guess; in standing structures, where many contacts
  /// stuck and few slid at the end of the last step (`last_states`), as the first.
  SolveSetting setting(const NewtonOptions& newton, const Vector& last_multiplier,
                       std::span<const ContactState> last_states) const;

  /// Solves with the remedies, counted in `report` as its sub-problem number `place`.
  template <class Problem, class Begin>
  NewtonReport try_solve(Solvable<Problem>& problem, const SolveSetting& setting, StepReport& report,
                         std::size_t place, const Begin& begin) const {
    return RemediedSolve(problem, {*problem.solver, problem.work, problem.sweeps}, setting, report,
                         report.subproblems[place])
        .solve(begin);
  }
  /// The same; throws SolverError that calls the problem `what` where no remedy helps.
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

  /// "step from t = ... s with h = ... s: element ..." where an element is beyond its limits at q, or a body that rolls has
  /// turned by more than half a turn, so that its slip is not known; else empty.
  std::string describe_fault(const Configuration& q) const;
  /// Throws SolverError with that, before anything of the step is kept.
  void refuse_fault(const Configuration& q) const;

  /// Ends a step at q, with the velocity, rates and reactions that `state` holds already: `law` and `closed` tell what
  /// contacts do at the end, and which were closed on the way.
  void commit(State& state, const Configuration& q, std::span<const ContactState> law,
              std::span<const ContactState> closed);

  const System* system;
  const SchemeOptions* options;
  StepData data;
  Vector no_multiplier;

 private:
  std::string describe_lost_roll(const Configuration& q) const;
  std::string describe_failure(std::string_view what, const NewtonReport& report,
                               const std::string& culprit) const;

  double step_start_ = 0.0;
  Vector motion_;
};

}  // namespace picus
