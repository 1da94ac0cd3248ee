#pragma once

#include <picus/mass_matrix.hpp>
#include <picus/solvers/integrators/scheme_workspace.hpp>

namespace picus::solvers {

/// Whether the accelerations a of a state are meaningless for a step of size h from it, because dampers change them
/// within a fraction of the step: the forces change by df from v to v + h a, and -a df > a M a. For a mass m on a
/// damper c this is h c > m.
bool is_overdamped(const System& system, const MassMatrix& mass, const State& state, double h);

/// If the start is overdamped for the steps of the scheme, its accelerations and bilateral forces become those that are
/// constant over the first step and satisfy the equations at its end,
///
///     M a = f + G^T lambda,  G v + g_t = 0  at  v_0 + h a  and  q_0 o exp(h v_0 + h^2 a/2)
///
/// which is of first order in one step only, so that the order of a scheme is preserved. Otherwise a scheme that uses
/// a_0 in its first step would give parts velocities of the order of h a_0, too large by the factor h c/m. Contacts
/// exert no force. Where these equations have no solution, the start is unchanged. Returns the end of that motion;
/// null: the start was not changed.
std::shared_ptr<AveragedStart> average_overdamped_start(SchemeWorkspace& workspace, State& state);

}  // namespace picus::solvers
