#pragma once

/// The initial state of a model, for user-defined schemes.

#include <picus/state.hpp>
#include <picus/system.hpp>

namespace picus {

/// Configuration and velocity of the model, driven components according to their motions, everything else zero and of
/// full size; all contacts open. Accelerations and multipliers at the start are left to the scheme; initial values that
/// violate the constraints are not projected.
State start_state(const System& system);

}  // namespace picus
