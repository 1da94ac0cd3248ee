#pragma once

/// The state in which a model starts, for schemes of one's own.

#include <picus/state.hpp>
#include <picus/system.hpp>

namespace picus {

/// Configuration and velocity as the model has them, driven components as their motions, everything else zero and of its full
/// size; all contacts open. A scheme that solves for accelerations or multipliers at the start fills them in; a model that violates
/// its constraints at the start stays where it is.
State start_state(const System& system);

}  // namespace picus
