#include <picus/solvers/integrators/closed_contacts.hpp>

namespace picus::solvers {
namespace {

/// Number of sticking contacts from which on a structure may count as being at rest. With few contacts a solve from
/// open contacts takes no more iterations, and is exact for linear problems; with dozens it takes ten times as many, or
/// cycles (a masonry arch of 15 blocks has 32 of them).
constexpr std::ptrdiff_t standing_contacts = 8;
/// Required number of sticking contacts per sliding one: redundant contacts of bodies at rest may carry no force, and
/// count as sliding.
constexpr std::ptrdiff_t sticking_for_sliding = 4;
/// The same for a model that is at rest as a whole: towers of boxes have no sliding contacts, settling heaps of balls
/// one for three.
constexpr std::ptrdiff_t sticking_for_sliding_at_rest = 20;

}  // namespace

bool ClosedContacts::suffice_as_guess() const {
  return sticking + sliding >= standing_contacts;
}

bool ClosedContacts::are_of_standing_structures() const {
  return sticking >= standing_contacts && sticking_for_sliding * sliding <= sticking;
}

bool ClosedContacts::are_at_rest() const {
  return sticking_for_sliding_at_rest * sliding <= sticking;
}

ClosedContacts count_closed_contacts(const System& system, std::span<const ContactState> states) {
  ClosedContacts closed;
  for (std::size_t c = 0; c < states.size(); ++c) {
    if (states[c] == ContactState::gap) continue;
    // Whether contacts without friction slide is not known.
    const bool has_friction = system.contacts()[c].role->law().friction_directions > 0;
    ++(has_friction && states[c] == ContactState::slip ? closed.sliding : closed.sticking);
  }
  return closed;
}

}  // namespace picus::solvers
