#pragma once

#include <picus/mass_matrix.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

#include <string_view>

namespace picus::solvers {

/// Sets vd_0 = M^-1 f on free components, with the forces of `motion`, and 0 for massless ones: constraint forces are
/// not part of the smooth acceleration of schemes at velocity level. Throws SolverError, which names `scheme`, for a
/// singular mass matrix.
void solve_force_acceleration(const System& system, const MassMatrix& mass, std::string_view scheme,
                              const Motion& motion, State& state);

}  // namespace picus::solvers
