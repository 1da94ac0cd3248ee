#pragma once

#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/integrators/remedies.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// What every scheme builds once a run, and the parts of a start and of a step that are the same for all.
class SchemeWorkspace {
 public:
  /// Both must outlive it.
  SchemeWorkspace(const System& system, const DecoupledNsgaOptions& options);

  /// A consistent start, with the projection and its linear solver; what it has to be warned of goes to `warnings`.
  State start(PositionProblem& projection, LinearSolver& solver, std::vector<std::string>& warnings);
  /// Tells the data of a step of size h from `state`.
  void begin_step(const State& state, double h);

  /// What a solve may do by the options of the scheme; it begins from open contacts.
  SolveSetting setting(const NewtonOptions& newton) const;
  /// The same from the contact multipliers of the last step, at whose end contacts did what `last_states` tells. Those that
  /// slid begin from no multiplier all the same: the direction of their friction is found faster so.
  SolveSetting setting(const NewtonOptions& newton, const Vector& last_multiplier,
                       std::span<const ContactState> last_states);

  /// RemediedSolve; throws SolverError that calls the problem `what` where no remedy helps.
  template <class Problem, class Begin>
  void solve(Problem& problem, LinearSolver& solver, NewtonWorkspace& work, const SolveSetting& setting,
             std::string_view what, StepReport& report, std::size_t place, const Begin& begin) const {
    const double t = step_start_;
    const NewtonReport solved =
        RemediedSolve(problem, solver, work, setting, report, report.subproblems[place]).solve(begin);
    if (!solved.converged) throw SolverError(describe_failure(problem, what, solved, t, data.h));
  }

  /// "step from t = ... s with h = ... s: the WHAT was not solved; after ...".
  template <class Problem>
  static std::string describe_failure(const Problem& problem, std::string_view what,
                                      const NewtonReport& report, double t, double h) {
    return describe_failure(what, report, problem.describe(report.residual.where), t, h);
  }

  /// "step from t = ... s with h = ... s: element ..." where an element is beyond its limits at q, else empty.
  std::string describe_fault(const Configuration& q) const;
  /// Throws SolverError with that, before anything of the step is kept.
  void refuse_fault(const Configuration& q) const;

  /// Ends a step at q, with the velocity, rates and reactions that `state` holds already: `law` and `closed` tell what
  /// contacts do at the end, and which were closed on the way.
  void commit(State& state, const Configuration& q, std::span<const ContactState> law,
              std::span<const ContactState> closed);

  const System* system;
  const DecoupledNsgaOptions* options;
  StepData data;
  Vector no_multiplier;

 private:
  static std::string describe_failure(std::string_view what, const NewtonReport& report,
                                      const std::string& culprit, double t, double h);

  double step_start_ = 0.0;
  Vector motion_;
  Vector first_guess_;  ///< of contact multipliers
};

}  // namespace picus
