#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/subproblems/condensed_contact.hpp>
#include <picus/solvers/subproblems/smallest_feasible_shift.hpp>

namespace picus {
namespace {

/// Iterations of a relaxed solve that begins nearby, at multipliers that are smaller along a direction that causes
/// hardly any motion.
constexpr int iterations_from_nearby = 8;

}  // namespace

using solvers::Effort;
using solvers::find_smallest_feasible_shift;
using solvers::RelaxedSolves;
using solvers::SmallestFeasibleShift;
using solvers::solve_condensed;

NewtonReport RemediedSolve::sweep(const NewtonOptions& newton, bool is_last_resort) {
  const Profile::Scope clock(setting_.profile, ProfilePart::contact_solver);
  return sweeps_.solve(problem_, newton, work_, is_last_resort, setting_.expected_change);
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
  ++report_.fallbacks[place_of(Fallback::smallest_feasible_shift)];
  problem_.set_restitution(Restitution::none);
  problem_.set_scaling(setting_.scaling, setting_.regularization);
  return true;
}

bool RemediedSolve::solve_with_smallest_feasible_shift(const std::function<void()>& begin) {
  const RelaxedSolves solves{.begin = begin, .solve = [&](Effort effort, Vector& change) {
                               return solve_relaxed(effort == Effort::all, change);
                             }};
  const SmallestFeasibleShift shift = find_smallest_feasible_shift(problem_, setting_.may_cut, solves);
  end_attempt();
  if (!shift.is_solved) return false;
  best_ = relaxed_;
  if (shift.unknown >= 0) report_.culprit = problem_.describe(shift.unknown);
  return true;
}

bool RemediedSolve::solve_relaxed(bool thoroughly, Vector& change) {
  change.setZero(problem_.size());
  NewtonReport report;
  const auto note = [&](const NewtonReport& solve, const Vector& increment) {
    add_solve(total_, solve);
    change += increment;
    report = solve;
  };
  work_.has_tangent = false;
  TracedProblem plain(problem_);
  NewtonOptions newton{.max_iterations = setting_.newton.max_iterations};
  if (!thoroughly) newton.max_iterations = std::min(newton.max_iterations, iterations_from_nearby);
  note(solve_newton(plain, solver_, newton, work_), plain.increment());
  if (!report.converged && thoroughly && sweeps_.is_decoupled())
    note(sweep(setting_.newton), sweeps_.change());
  if (!report.converged && thoroughly) {
    TracedProblem traced(problem_);
    note(solve_condensed(problem_, traced, solver_, setting_.newton.max_iterations, work_),
         traced.increment());
  }
  work_.has_tangent = false;
  if (report.converged) relaxed_ = report;
  return report.converged;
}

NewtonReport RemediedSolve::accept(NewtonReport report) {
  ++report_.fallbacks[place_of(Fallback::accepted)];
  report.converged = true;
  report_.accepted_residual = std::max(report_.accepted_residual, report.residual.worst);
  total_.residual = report.residual.worst;
  return report;
}

}  // namespace picus
