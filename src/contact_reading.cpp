#include "load_on_node.hpp"
#include <picus/contact_reading.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace picus {
namespace {

constexpr std::size_t max_reading_rows = max_contact_rows;

const RowBlock<Contact>& block_of(const System& system, const State& state, const InRole<Contact>& contact) {
  system.require_state(state);
  return system.contacts()[system.find_contact(contact.element)];
}

}  // namespace

ContactReading read_contact(const System& system, const State& state, double h,
                            const InRole<Contact>& contact) {
  const RowBlock<Contact>& block = block_of(system, state, contact);
  ContactReading reading;
  reading.state = state.contact_state[system.find_contact(contact.element)];
  std::array<double, max_reading_rows> gap{};
  block.role->displacement(state.q, state.q, std::span(gap.data(), block.rows));
  reading.gap = gap[0];
  const Index rows = 1 + block.role->law().friction_directions;
  reading.rate.head(rows) = state.contact_rate.segment(block.first_row, rows);
  if (reading.state == ContactState::gap) return reading;  // impulses are rounding errors
  reading.impulse.head(rows) = state.contact_impulse.segment(block.first_row, rows);
  reading.force = reading.impulse / h;
  return reading;
}

ContactLoad read_contact_load(const System& system, const State& state, double h,
                              const InRole<Contact>& contact, const Node& on) {
  const RowBlock<Contact>& block = block_of(system, state, contact);
  const Element& element = *block.element;
  if (std::ranges::find(element.nodes(), on) == element.nodes().end()) {
    const bool is_known = std::ranges::find(system.nodes(), on) != system.nodes().end();
    throw ModelError(is_known ? fmt::format("node \"{}\" is none of contact \"{}\"",
                                            system.model().node_name(on), element.name())
                              : fmt::format("the node is none of contact \"{}\"", element.name()));
  }
  std::array<double, max_reading_rows * max_local_dofs> G{};
  const std::span<double> used(G.data(), block.rows * block.dofs);
  block.role->gradient(state.q, used);
  if (state.contact_state[system.find_contact(contact.element)] == ContactState::gap) return {};
  const std::array<double, 6> load = detail::load_on_node(element, block.rows, used, on, [&](Index row) {
    return state.contact_impulse[block.first_row + row] / h;
  });
  ContactLoad result{.force = Vec3(load[0], load[1], load[2])};
  if (on.kind == NodeKind::frame) result.moment = state.q.rotation(on) * Vec3(load[3], load[4], load[5]);
  return result;
}

}  // namespace picus
