#pragma once

/// Whether the state of a checkpoint can be one of a model: a checksum tells of damage, not of who wrote the file.

#include <picus/system.hpp>

#include <string>

namespace picus::detail {

/// Why `state` cannot follow from `start`, which the integrator has made, after `steps` steps of h seconds: parts of other
/// sizes, numbers that are not finite, rotations that are none, contacts in states that there are not, another time.
/// Empty if it can.
std::string misfit_of(const State& state, const State& start, const System& system, std::int64_t steps,
                      double h);

}  // namespace picus::detail
