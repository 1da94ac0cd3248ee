#pragma once

#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/state.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus::solvers {

/// Solves a problem that `begin` sets to its first guess, in at most `iterations` at a time.
using ProjectionSolve = std::function<NewtonReport(int iterations, const std::function<void()>& begin)>;

/// A start for any integrator: q_0 projected on the constraints and gaps, v_0 on the rates of the
/// constraints, both in the metric of the mass, then dv_0/dt and lambda_0 from the equations of motion.
/// Contacts exert no force at t = 0. Nodes without mass follow from the constraints. Derivatives in time that nobody gives
/// are differences over a small part of `h`, the step of the scheme. `data` is left at the start. `solve` solves
/// `projection`. Throws SolverError naming the constraint or node that cannot be satisfied.
State make_consistent_start(const System& system, StepData& data, double h, PositionProblem& projection,
                            const ProjectionSolve& solve);

/// What a start has to be warned of: redundant constraints (check_constraints()), and constraints or contacts that were
/// far from closed in the model as given, so that the start has moved nodes.
StartFindings check_start(const System& system, const State& start);

}  // namespace picus::solvers
