#pragma once

#include <picus/solvers/integrators/nsga_problems.hpp>

#include <functional>

namespace picus::solvers {

/// Solves a problem that `begin` sets to its initial guess, with at most `iterations` per attempt.
using ProjectionSolve = std::function<NewtonReport(int iterations, const std::function<void()>& begin)>;

/// Sets `data.q` to the initial configuration of the model projected on the constraints and gaps, in the metric of the
/// mass. Far from the constraints, where Newton's iteration diverges, damped steps approach them first; of several
/// configurations that close a mechanism this finds one close to that given, not always the closest. Throws SolverError
/// that names the constraint or gap that remains violated.
void project_configuration(const System& system, StepData& data, PositionProblem& problem,
                           const ProjectionSolve& solve);

}  // namespace picus::solvers
