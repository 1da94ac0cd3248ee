#pragma once

/// What models of bodies with surfaces on a floor have in common.

#include <picus/model.hpp>
#include <picus/signal.hpp>

#include <string_view>

namespace picus::models {

/// Largest displacement of a node from its start, m.
double largest_displacement(const Snapshot& at);
/// Sum of the normal forces of all contacts whose names end with `ending`, " on floor", over the last step, N.
double normal_force_on(const Snapshot& at, std::string_view ending);
/// Contacts that are closed.
double count_closed(const Snapshot& at);

}  // namespace picus::models
