#pragma once

/// Whether a checkpoint fits a run: a checksum detects damage, not who wrote the file.

#include <picus/checkpoint.hpp>
#include <picus/system.hpp>

#include <string>

namespace picus::detail {

/// Throws FileError: "cannot go on from checkpoint ...".
[[noreturn]] void refuse(const Checkpoint& checkpoint, const std::string& reason);

/// The owner of the values of an archive and its file, for messages.
std::string owner_text(const Checkpoint& checkpoint, const std::string& owner);

/// Why `state` cannot follow from `start`, as computed by the integrator, after `steps` steps of size h (s): wrong
/// sizes, numbers that are not finite, matrices that are not rotations, invalid contact states, a wrong time. Empty if
/// it can.
std::string misfit_of(const State& state, const State& start, const System& system, std::int64_t steps,
                      double h);

}  // namespace picus::detail
