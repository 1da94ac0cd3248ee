#pragma once

/// Checks that the state of a checkpoint is possible for a model: a checksum detects damage, not who wrote the file.

#include <picus/system.hpp>

#include <string>

namespace picus::detail {

/// Why `state` cannot follow from `start`, as computed by the integrator, after `steps` steps of size h (s): wrong
/// sizes, numbers that are not finite, matrices that are not rotations, invalid contact states, a wrong time. Empty if
/// it can.
std::string misfit_of(const State& state, const State& start, const System& system, std::int64_t steps,
                      double h);

}  // namespace picus::detail
