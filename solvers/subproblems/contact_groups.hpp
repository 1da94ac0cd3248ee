#pragma once

/// Which groups of bodies contacts act on over a whole step, and on which there are impacts at its end.

#include <picus/solvers/subproblems/body_groups.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus {

class ContactGroups {
 public:
  explicit ContactGroups(const System& system);

  /// Classifies the groups by the states of contacts at t_n and in the step; false if none has only contacts that stay
  /// closed. `groups` must outlive the step.
  bool find(const BodyGroups& groups, std::span<const ContactState> states_n,
            std::span<const ContactState> states);
  /// Whether contacts of the group are closed at both ends of the step, and none closes in it.
  bool stays_closed(Index group) const { return kind_[group] == Kind::closed; }

 private:
  enum class Kind : std::uint8_t { without, closed, closing };
  std::vector<Kind> kind_;
};

}  // namespace picus
