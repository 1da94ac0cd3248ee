#include <picus/local_dofs.hpp>
#include <picus/solvers/subproblems/held_contacts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace picus {
namespace {

/// Rows of the two cones of a contact: sliding with drilling, and rolling.
struct Cone {
  Index first, size;
};

std::array<Cone, 2> cones_of(const RowBlock<Contact>& block) {
  const Index rolling = block.role->law().rolling_directions;
  const Index sliding = block.rows - 1 - rolling;
  return {{{block.first_row + 1, sliding}, {block.first_row + 1 + sliding, rolling}}};
}

}  // namespace

HeldContacts::HeldContacts(const System& system)
    : system_(&system),
      is_held_(system.contacts().size(), 0),
      states_of_others_(system.contacts().size(), ContactState::gap),
      slip_n_(Vector::Zero(system.contact_row_count())),
      directions_(slip_n_),
      forces_n_(slip_n_),
      is_touched_(system.velocity_count(), 0) {
  contacts_.reserve(is_held_.size());
  std::size_t largest = 0;
  for (const auto& block : system.contacts())
    largest = std::max<std::size_t>(largest, block.rows * block.dofs);
  local_.resize(largest);
}

void HeldContacts::choose(const StepData& data, const State& state) {
  release();
  slip_n_.setZero();
  forces_n_.setZero();
  for (Index c = 0; c < count_of(is_held_); ++c) {
    states_of_others_[c] = state.contact_state[c];
    if (state.contact_state[c] == ContactState::gap) continue;
    const auto& block = system_->contacts()[c];
    const double rounding = data.closing_distance(c) / data.h;
    if (!(std::abs(state.contact_rate[block.first_row]) <= data.resting_rate(c))) continue;
    contacts_.push_back(c);
    is_held_[c] = 1;
    states_of_others_[c] = ContactState::gap;
    forces_n_.segment(block.first_row, block.rows) =
        state.position_multiplier.segment(block.first_row, block.rows) / data.h;
    for (const Cone& cone : cones_of(block)) {
      const auto slip = state.contact_rate.segment(cone.first, cone.size);
      if (slip.norm() > rounding) slip_n_.segment(cone.first, cone.size) = slip;
    }
  }
}

bool HeldContacts::are_redundant() {
  std::ranges::fill(is_touched_, char{0});
  Index rows = 0, components = 0;
  for (const std::size_t c : contacts_) {
    const auto& block = system_->contacts()[c];
    rows += block.rows;
    for_each_dof(*block.element, [&](Index, Index dof) {
      if (system_->free_index()[dof] >= 0 && std::exchange(is_touched_[dof], char{1}) == 0) ++components;
    });
  }
  return rows > components;
}

void HeldContacts::hold_all() {
  contacts_.clear();
  slip_n_.setZero();
  forces_n_.setZero();
  for (std::size_t c = 0; c < is_held_.size(); ++c) contacts_.push_back(c);
  std::ranges::fill(is_held_, char{1});
}

void HeldContacts::release() {
  contacts_.clear();
  forces_n_.setZero();
  std::ranges::fill(is_held_, char{0});
}

void HeldContacts::find_directions(const Configuration& q, const Vector& v) {
  directions_.setZero();
  for (const std::size_t c : contacts_) {
    const auto& block = system_->contacts()[c];
    if (block.role->law().mu == 0 || slip_n_.segment(block.first_row, block.rows).isZero(0.0)) continue;
    const std::span<double> G(local_.data(), block.rows * block.dofs);
    std::ranges::fill(G, 0.0);
    block.role->gradient(q, G);
    std::array<double, max_contact_rows> rate{};
    for_each_dof(*block.element, [&](Index j, Index dof) {
      for (Index i = 1; i < block.rows; ++i) rate[i] += G[block.rows * j + i] * v[dof];
    });
    const Eigen::Map<const Vector> rates(rate.data(), block.rows);
    for (const Cone& cone : cones_of(block)) {
      const auto slip = rates.segment(cone.first - block.first_row, cone.size);
      if (slip_n_.segment(cone.first, cone.size).dot(slip) > 0)
        directions_.segment(cone.first, cone.size) = -slip / slip.norm();
    }
  }
}

}  // namespace picus
