#pragma once

#include <picus/solvers/integrators/start_projection.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/state.hpp>

#include <string>
#include <vector>

namespace picus::solvers {

/// Consistent initial state for any integrator: q_0 projected on the constraints and gaps, v_0 on the rates of the
/// constraints, both in the mass metric, then dv_0/dt and lambda_0 from the equations of motion. Contacts exert no
/// force at t = 0. Massless nodes follow from the constraints. Time derivatives that are not provided are finite
/// differences over a small fraction of `h`, the step size of the scheme. `data` is left at the initial state. `solve`
/// solves `projection`. Throws SolverError that names the constraint or node that cannot be satisfied.
State make_consistent_start(const System& system, StepData& data, double h, PositionProblem& projection,
                            const ProjectionSolve& solve);

/// Warnings about an initial state: redundant constraints (check_constraints()), and constraints or contacts that were
/// clearly violated by the model as given, relative to their groups of bodies, so that the projection has moved nodes.
/// `groups` are measured at the configuration as given.
StartFindings check_start(const System& system, const BodyGroups& groups, const State& start);

}  // namespace picus::solvers
