#pragma once

#include <picus/state.hpp>
#include <picus/system.hpp>

#include <cstddef>
#include <span>

namespace picus::solvers {

/// How many contacts stuck and slid at the end of a step, which tells whether structures stand.
struct ClosedContacts {
  std::ptrdiff_t sticking = 0;  ///< and those without friction, whose normal forces change as little
  std::ptrdiff_t sliding = 0;

  /// Enough of them for last contact forces to be a better initial guess than none.
  bool are_many() const;
  /// Many stick, and few slide.
  bool stand() const;
  /// Hardly any slides: the whole model is at rest.
  bool rest() const;
};

ClosedContacts count_closed_contacts(const System& system, std::span<const ContactState> states);

}  // namespace picus::solvers
