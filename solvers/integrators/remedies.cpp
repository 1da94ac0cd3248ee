#include <picus/solvers/integrators/remedies.hpp>
#include <picus/solvers/subproblems/condensed_contact.hpp>

namespace picus {

void RemediedSolve::trace(Fallback fallback, double scaling, const Vector& multiplier) {
  TracedProblem traced(problem_);
  const NewtonReport solve =
      fallback == Fallback::interior_point
          ? solve_condensed(problem_, traced, solver_, setting_.newton.max_iterations, work_)
          : solve_newton(traced, solver_, setting_.newton, work_);
  add_solve(total_, solve);
  if (tries_++ == 0 || solve.converged || traced.best_residual() < best_residual_) {
    best_ = solve;
    best_residual_ = traced.best_residual();
    best_scaling_ = scaling;
    best_start_ = &multiplier;
    best_way_ = traced.best_way();
  }
}

}  // namespace picus
