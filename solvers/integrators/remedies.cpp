#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/subproblems/condensed_contact.hpp>
#include <picus/solvers/subproblems/smallest_feasible_shift.hpp>

namespace picus {

using solvers::find_smallest_feasible_shift;
using solvers::shift_compliance;
using solvers::SmallestFeasibleShift;
using solvers::solve_condensed;

NewtonReport RemediedSolve::sweep(const NewtonOptions& newton, bool is_last_resort) {
  const Profile::Scope clock(setting_.profile, ProfilePart::contact_solver);
  return sweeps_.solve(problem_, newton, work_, is_last_resort);
}

void RemediedSolve::trace(const Attempt& attempt) {
  TracedProblem traced(problem_);
  const bool condenses =
      attempt.fallback == Fallback::interior_point || attempt.fallback == Fallback::no_restitution;
  const Profile::Scope clock(setting_.profile, condenses ? ProfilePart::contact_solver : ProfilePart::rest);
  const NewtonReport solve =
      condenses ? solve_condensed(problem_, traced, solver_, setting_.newton.max_iterations, work_)
                : solve_newton(traced, solver_, setting_.newton, work_);
  add_solve(total_, solve);
  if (!solve.converged && !(traced.best_residual() < best_residual_)) return;
  best_ = solve;
  best_residual_ = traced.best_residual();
  best_attempt_ = attempt;
  best_increment_ = traced.best_increment();
}

bool RemediedSolve::begin_relaxed() {
  if (std::ranges::none_of(problem_.cones(), &ContactCone::is_candidate) ||
      problem_.row_tolerances().size() == 0)
    return false;
  ++report_.fallbacks[static_cast<std::size_t>(Fallback::smallest_feasible_shift)];
  problem_.set_restitution(Restitution::none);
  problem_.set_scaling(setting_.scaling, shift_compliance / setting_.scaling);
  return true;
}

bool RemediedSolve::solve_with_smallest_feasible_shift() {
  const SmallestFeasibleShift shift =
      find_smallest_feasible_shift(problem_, !setting_.may_accept, [&] { return solve_relaxed(); });
  end_attempt();
  if (!shift.is_solved) return false;
  best_ = relaxed_;
  if (shift.unknown >= 0) report_.culprit = problem_.describe(shift.unknown);
  return true;
}

bool RemediedSolve::solve_relaxed() {
  work_.has_tangent = false;
  NewtonReport report =
      solve_newton(problem_, solver_, {.max_iterations = setting_.newton.max_iterations}, work_);
  add_solve(total_, report);
  if (!report.converged) {
    TracedProblem traced(problem_);
    report = solve_condensed(problem_, traced, solver_, setting_.newton.max_iterations, work_);
    add_solve(total_, report);
  }
  work_.has_tangent = false;
  if (report.converged) relaxed_ = report;
  return report.converged;
}

NewtonReport RemediedSolve::accept(NewtonReport report) {
  ++report_.fallbacks[static_cast<std::size_t>(Fallback::accepted)];
  report.converged = true;
  report_.accepted_residual = std::max(report_.accepted_residual, report.residual.worst);
  total_.residual = report.residual.worst;
  return report;
}

}  // namespace picus
