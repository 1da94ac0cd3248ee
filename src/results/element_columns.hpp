#pragma once

#include "columns.hpp"

namespace picus::results {

/// Gaps, slips, impulses and states of all contacts.
void add_contact_columns(std::vector<Column>& columns, const System& system);
/// Violations and impulses of all constraints; h is the step, s.
void add_constraint_columns(std::vector<Column>& columns, const System& system, double h);

/// Groups below "contacts/" that are recorded, each with one of its contacts.
struct ContactGroup {
  std::string name;
  const ContactLaw* law;
};
std::vector<ContactGroup> contact_groups(const System& system);

}  // namespace picus::results
