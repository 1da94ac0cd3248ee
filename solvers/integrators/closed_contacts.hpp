#pragma once

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <cstddef>
#include <span>

namespace picus::solvers {

/// The numbers of contacts that stick and slide at the end of a step, which indicate whether structures are
/// at rest.
struct ClosedContacts {
  std::ptrdiff_t sticking = 0;  ///< including those without friction, whose normal forces change as little
  std::ptrdiff_t sliding = 0;

  /// Whether they are enough for the last contact forces to be a better initial guess than none.
  bool suffice_as_guess() const;
  /// Whether many stick and few slide.
  bool are_of_standing_structures() const;
  /// Whether hardly any slides: the whole model is at rest.
  bool are_at_rest() const;
};

ClosedContacts count_closed_contacts(const System& system, std::span<const ContactState> states);

}  // namespace picus::solvers
