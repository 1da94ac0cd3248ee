#pragma once

#include "columns.hpp"

namespace picus::results {

/// Adds /energy: the energies of the system; with `details` also those of each element and contact.
void add_energy_columns(std::vector<Column>& columns, const System& system, bool details);

}  // namespace picus::results
