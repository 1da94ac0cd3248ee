#pragma once

/// Whether a motion has grown beyond all bounds.

#include <picus/state.hpp>
#include <picus/system.hpp>

namespace picus::detail {

/// Throws SolverError if velocities have grown so much that their squares overflow. Explicit schemes may diverge
/// without a residual that shows it.
void check_bounds(const System& system, const State& state);

}  // namespace picus::detail
