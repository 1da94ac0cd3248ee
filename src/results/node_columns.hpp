#pragma once

#include "columns.hpp"

namespace picus::results {

/// Adds position, rotation, velocity and acceleration of all nodes.
void add_node_columns(std::vector<Column>& columns, const System& system);

}  // namespace picus::results
