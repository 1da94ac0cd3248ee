#pragma once

#include <picus/solvers/newton/traced_problem.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>

namespace picus::solvers {

/// For problems on which Newton's method cycles: linearise everything except the contact conditions, eliminate all
/// unknowns except the multipliers of the contacts that may close, solve for these by an interior-point method, and
/// continue from there with Newton's method; repeat at most `max_iterations` times. The report counts linear solves
/// with new factors as iterations; without convergence the problem is left at its best iterate. `traced` wraps the
/// problem.
NewtonReport solve_condensed(ContactProblem& problem, TracedProblem& traced, LinearSolver& solver,
                             int max_iterations, NewtonWorkspace& work);

}  // namespace picus::solvers
