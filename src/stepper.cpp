#include <picus/error.hpp>
#include <picus/local_dofs.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace picus {
namespace {

/// Largest number of repetitions of a step with added contacts. Each repetition adds some, and the contacts of a step
/// depend only on their neighbours. A rim that tips onto a plane adds one lowest point each time.
constexpr int max_repeats = 12;

/// Rows of contact `i` of a layout.
struct Rows {
  Index first = 0;
  Index count = 0;
};

/// Converts `values` to the new layout, with the entries of contacts that remain and zeros for the others. `source[i]`
/// is the old index of contact i, -1 for a new one.
void move_rows(Vector& values, std::span<const Rows> old_rows, std::span<const std::ptrdiff_t> source,
               std::span<const RowBlock<Contact>> blocks, Index row_count) {
  Vector moved = Vector::Zero(row_count);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (source[i] < 0) continue;
    const Rows& from = old_rows[source[i]];
    if (from.count == blocks[i].rows)
      moved.segment(blocks[i].first_row, blocks[i].rows) = values.segment(from.first, from.count);
  }
  values = std::move(moved);
}

}  // namespace

Stepper::Stepper(const Model& model, TimeIntegrator& integrator, int threads, Profile* profile)
    : model_(&model),
      integrator_(&integrator),
      system_(model, threads),
      reservation_(integrator),
      searches_(model) {
  system_.set_profile(profile);
  if (!searches_.empty())
    integrator_->watch_path([this](const Configuration& q) { return meets_undetected(q); });
}

Stepper::~Stepper() {
  if (!searches_.empty()) integrator_->watch_path(nullptr);
}

bool Stepper::meets_undetected(const Configuration& q) {
  if (!may_repeat_) return false;
  const Profile::Scope clock(system_.profile(), ProfilePart::contact_search);
  undetected_.clear();
  for (const auto& search : searches_.all()) search->find_undetected(q, keys_, undetected_);
  return !undetected_.empty();
}

void Stepper::find(const Configuration& q, const Configuration& end, const Keys& previous, Keys& found) {
  const Profile::Scope clock(system_.profile(), ProfilePart::contact_search);
  found.clear();
  for (const auto& search : searches_.all()) search->find(q, end, previous, found);
  std::ranges::sort(found);
}

double Stepper::add_undetected(const Configuration& q, Keys& keys) {
  const Profile::Scope clock(system_.profile(), ProfilePart::contact_search);
  undetected_.clear();
  double depth = 0.0;
  for (const auto& search : searches_.all())
    depth = std::max(depth, search->find_undetected(q, keys, undetected_));
  if (undetected_.empty()) return depth;
  keys.insert(keys.end(), undetected_.begin(), undetected_.end());
  std::ranges::sort(keys);
  return depth;
}

State Stepper::start() {
  const Profile::Scope clock(system_.profile(), ProfilePart::start);
  if (searches_.empty()) return reservation_.start(system_);
  const Configuration& q = model_->initial_configuration();
  for (const auto& search : searches_.all()) search->check_start(q);
  find(q, q, {}, keys_);
  for (int repeat = 0;; ++repeat) {
    searches_.set_contacts(system_, keys_);
    may_repeat_ = repeat < max_repeats;
    State state = reservation_.start(system_);
    state.found_contacts = keys_;
    end_ = state.q;
    dq_ = v_ = a_ = Vector::Zero(system_.velocity_count());
    if (add_undetected(state.q, keys_) == 0.0 || undetected_.empty() || repeat == max_repeats) {
      keys_ = state.found_contacts;
      begin_ = state;
      return state;
    }
  }
}

void Stepper::predict(const State& state) {
  const double h = integrator_->step_size();
  if (integrator_->is_static()) {
    dq_.setZero();
  } else {
    dq_ = h * state.v + (h * h / 2) * state.acceleration;
  }
  if (system_.has_driven_dofs()) system_.prescribe(state.time, h, dq_, v_, a_);
  retract(system_.nodes(), state.q, dq_, end_);
}

void Stepper::change_contacts(State& state, std::span<const ContactKey> new_keys) {
  const Profile::Scope clock(system_.profile(), ProfilePart::contact_change);
  // A copy: new_keys may be those of the state, which change.
  const Keys keys(new_keys.begin(), new_keys.end());
  if (!std::ranges::is_sorted(keys) || std::ranges::adjacent_find(keys) != keys.end())
    throw ModelError("the contacts that are to be found are not in ascending order");
  if (!std::ranges::equal(system_.found_contacts(), state.found_contacts))
    searches_.set_contacts(system_, state.found_contacts);
  std::vector<Rows> old_rows;
  for (const auto& block : system_.contacts()) old_rows.push_back({block.first_row, block.rows});
  system_.require_state(state);
  const auto declared = static_cast<std::ptrdiff_t>(system_.declared_contacts().size());
  const Keys old_keys = state.found_contacts;

  searches_.set_contacts(system_, keys);
  const auto blocks = system_.contacts();
  std::vector<std::ptrdiff_t> source(blocks.size(), -1);
  for (std::ptrdiff_t i = 0; i < declared; ++i) source[i] = i;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto place = std::ranges::lower_bound(old_keys, keys[i]);
    if (place != old_keys.end() && *place == keys[i])
      source[declared + i] = declared + (place - old_keys.begin());
  }
  const Index row_count = system_.contact_row_count();
  for (Vector State::*part :
       {&State::contact_impulse, &State::contact_rate, &State::contact_slip, &State::position_multiplier,
        &State::contact_impulse_change, &State::position_multiplier_change})
    move_rows(state.*part, old_rows, source, blocks, row_count);
  std::vector<ContactState> states(blocks.size(), ContactState::gap);
  std::array<double, max_contact_rows * max_local_dofs> G{};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (source[i] >= 0) {
      states[i] = state.contact_state[source[i]];
      continue;
    }
    const RowBlock<Contact>& block = blocks[i];
    const std::span<double> used(G.data(), block.rows * block.dofs);
    std::fill(used.begin(), used.end(), 0.0);
    block.role->gradient(state.q, used);
    for_each_dof(*block.element, [&](Index c, Index dof) {
      for (Index r = 0; r < block.rows; ++r)
        state.contact_rate[block.first_row + r] += G[c * block.rows + r] * state.v[dof];
    });
  }
  state.contact_state = std::move(states);
  state.found_contacts = keys;
  is_ready_ = false;
  reservation_.change_contacts(state);
  is_ready_ = true;
}

StepReport Stepper::step(State& state) {
  if (searches_.empty()) return reservation_.step(state);
  has_changed_ = false;
  predict(state);
  find(state.q, end_, state.found_contacts, keys_);
  if (!is_ready_ || !std::ranges::equal(keys_, state.found_contacts) ||
      !std::ranges::equal(system_.found_contacts(), keys_)) {
    change_contacts(state, keys_);
    has_changed_ = true;
    ++statistics_.changes;
  }
  begin_ = state;
  for (int repeat = 0;; ++repeat) {
    may_repeat_ = repeat < max_repeats;
    StepReport report = reservation_.step(state);
    if (!state.v.allFinite()) return report;  // reported by the caller
    const double depth = add_undetected(state.q, keys_);
    if (depth == 0.0) return report;
    if (undetected_.empty() || repeat == max_repeats) {
      ++statistics_.misses;
      statistics_.worst_depth = std::max(statistics_.worst_depth, depth);
      return report;
    }
    state = begin_;
    change_contacts(state, keys_);
    has_changed_ = true;
    begin_ = state;
    ++statistics_.repeats;
  }
}

void Stepper::resume(State& state) {
  if (searches_.empty()) {
    reservation_.start(system_);
    return;
  }
  change_contacts(state, state.found_contacts);
  keys_ = state.found_contacts;
  begin_ = state;
}

}  // namespace picus
