#include <picus/models/observer.hpp>

#include <fmt/format.h>

namespace picus::models {

ContactPlace find_contact(const System& system, std::string_view name) {
  std::size_t number = 0;
  for (const RowBlock<Contact>& contact : system.contacts()) {
    if (contact.element->name() == name) return {number, contact.first_row};
    ++number;
  }
  throw ModelError(fmt::format("there is no contact \"{}\"", name));
}

}  // namespace picus::models
