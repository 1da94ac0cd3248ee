#pragma once

#include <picus/solvers/newton/traced_problem.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>

namespace picus::solvers {

/// For problems on which Newton's iteration cycles: linearise everything but the contact conditions, eliminate all
/// unknowns but the multipliers of the contacts that may close, solve for these by an interior-point method, and go
/// on from there with Newton's iteration; repeat, `max_iterations` times at most. The report counts linear solves with new factors as iterations;
/// without convergence the problem is left at its best iterate. `traced` is a trace of the problem.
NewtonReport solve_condensed(ContactProblem& problem, TracedProblem& traced, LinearSolver& solver,
                             int max_iterations, NewtonWorkspace& work);

}  // namespace picus::solvers
