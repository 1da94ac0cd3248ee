#pragma once

/// Checks of the steps of a run for errors that no residual shows.

#include <picus/state.hpp>
#include <picus/stepper.hpp>
#include <picus/system.hpp>

#include <optional>
#include <string>

namespace picus::detail {

/// Throws SolverError if velocities have grown so much that their squares overflow. Explicit schemes may diverge
/// without a residual that shows it.
void check_bounds(const System& system, const State& state);

/// A warning if steps ended with penetrating surfaces that were not in the list of contacts, or bodies passed through
/// each other.
std::optional<std::string> missed_contacts(const SearchStatistics& search);

}  // namespace picus::detail
