#include <picus/solvers/subproblems/contact_groups.hpp>

#include <algorithm>

namespace picus {

ContactGroups::ContactGroups(const System& system) {
  kind_.reserve(system.model().nodes().size() + 1);  // each group has a node, except that of fixed bodies
}

bool ContactGroups::find(const BodyGroups& groups, std::span<const ContactState> states_n,
                         std::span<const ContactState> states) {
  kind_.assign(groups.count(), Kind::without);
  for (std::size_t c = 0; c < states_n.size(); ++c) {
    if (states[c] == ContactState::gap) continue;
    const Kind found = states_n[c] == ContactState::gap ? Kind::closing : Kind::closed;
    for (const Index side : {groups.of_contact(c), groups.of_other_side(c)})
      kind_[side] = std::max(kind_[side], found);
  }
  return std::ranges::find(kind_, Kind::closed) != kind_.end();
}

}  // namespace picus
