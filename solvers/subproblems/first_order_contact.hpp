#pragma once

#include <picus/solvers/newton/semismooth_newton.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// The last resort of a position or velocity problem: linearise everything but the contact conditions,
/// eliminate all unknowns but the contact multipliers, solve for these by projected Gauss-Seidel, repeat. The
/// report counts linear solves with new factors as iterations.
NewtonReport solve_first_order(Subproblem& problem, LinearSolver& solver, int max_iterations,
                               NewtonWorkspace& work);

}  // namespace picus
