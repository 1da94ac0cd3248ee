#pragma once

#include "columns.hpp"

namespace picus::results {

/// Adds gaps, slips, impulses and states of all contacts.
void add_contact_columns(std::vector<Column>& columns, const System& system);
/// Adds violations and impulses of all constraints; h is the step size, s.
void add_constraint_columns(std::vector<Column>& columns, const System& system, double h);

/// A recorded group below "contacts/", with the law of one of its contacts.
struct ContactGroup {
  std::string name;
  const ContactLaw* law;
};
std::vector<ContactGroup> contact_groups(const System& system);

}  // namespace picus::results
