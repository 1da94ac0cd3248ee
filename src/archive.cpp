#include <picus/archive.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <cstring>

namespace picus {

Archive::Archive(std::span<const std::byte> bytes, std::string owner)
    : unread_(bytes), is_reading_(true), owner_(std::move(owner)) {}

void Archive::refuse() const {
  throw FileError(fmt::format("what the checkpoint holds of {} does not fit", owner_));
}

void Archive::finish_reading() const {
  if (!unread_.empty()) refuse();
}

void Archive::pass_bytes(void* bytes, std::size_t size) {
  if (size == 0) return;
  if (!is_reading_) {
    const auto* first = static_cast<const std::byte*>(bytes);
    written_.insert(written_.end(), first, first + size);
    return;
  }
  if (unread_.size() < size) refuse();
  std::memcpy(bytes, unread_.data(), size);
  unread_ = unread_.subspan(size);
}

std::size_t Archive::pass_count(std::size_t count, std::size_t entry_bytes) {
  auto stored = static_cast<std::uint64_t>(count);
  pass(stored);
  if (is_reading_ && stored > unread_.size() / entry_bytes) refuse();
  return stored;
}

void Archive::pass(std::string& text) {
  text.resize(pass_count(text.size(), 1));
  pass_bytes(text.data(), text.size());
}

void Archive::pass(Configuration& q) {
  std::vector<double> data(q.data().begin(), q.data().end());
  pass(data);
  if (is_reading_) q.assign(std::move(data));
}

void Archive::pass(State& state) {
  // Lists all members: fails to compile if State has another one.
  auto& [time, step, load_factor, q, v, acceleration, auxiliary, constraint_force, constraint_impulse,
         contact_impulse, contact_rate, contact_slip, contact_state, position_multiplier,
         contact_impulse_change, position_multiplier_change, found_contacts, reaction] = state;
  (*this)(time, step, load_factor, q, v, acceleration, auxiliary, constraint_force, constraint_impulse,
          contact_impulse, contact_rate, contact_slip, contact_state, position_multiplier,
          contact_impulse_change, position_multiplier_change, found_contacts, reaction);
}

}  // namespace picus
