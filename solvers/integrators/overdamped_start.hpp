#pragma once

#include <picus/mass_matrix.hpp>
#include <picus/solvers/integrators/scheme_workspace.hpp>

namespace picus::solvers {

/// Whether the accelerations a of a state say nothing of a step of size h from it, because dampers that they change end the
/// motion within a part of the step: the forces change by df from v to v + h a, and -a df > a M a. Of a mass m on a damper
/// c that is h c > m.
bool is_overdamped(const System& system, const MassMatrix& mass, const State& state, double h);

/// If the start is overdamped for the steps of the scheme, its accelerations and bilateral forces become those that are
/// constant over the first step and satisfy the equations at its end,
///
///     M a = f + G^T lambda,  G v + g_t = 0  at  v_0 + h a  and  q_0 o exp(h v_0 + h^2 a/2)
///
/// which is of first order once, so that the order of a scheme stays. A scheme that takes a_0 into its first step would
/// otherwise throw parts with the velocity h a_0, h c/m times too fast. Contacts exert no force. Where these equations
/// have no solution, the start stays as it is. Returns the end of that motion; null: the start was not changed.
std::shared_ptr<AveragedStart> average_overdamped_start(SchemeWorkspace& workspace, State& state);

}  // namespace picus::solvers
