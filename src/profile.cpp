#include <picus/profile.hpp>

#include <chrono>
#include <iterator>
#include <numeric>

namespace picus {

std::string_view name_of(ProfilePart part) {
  constexpr std::array<std::string_view, profile_parts> names = {
      "start",         "contact search", "change of contacts", "evaluation", "assembly",  "analysis",
      "factorisation", "solution",       "contact solver",     "energies",   "recording", "rest"};
  return names[place_of(part)];
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Profile::Profile(Clock clock) : clock_(clock), rows_(1) {}

Profile::Row* Profile::find_row(std::string_view subproblem) {
  for (Row& row : rows_) {
    if (row.subproblem == subproblem) return &row;
  }
  rows_.push_back({.subproblem = std::string(subproblem)});
  return &rows_.back();
}

void Profile::begin(Scope& scope, Place place) {
  if (now_ == place) return;
  scope.profile_ = this;
  scope.before_ = now_;
  change(place);
  ++place.row->counts[place_of(place.part)];
}

void Profile::change(Place next) {
  const double now = clock_();
  if (now_.row != nullptr) now_.row->seconds[place_of(now_.part)] += now - since_;
  since_ = now;
  now_ = next;
}

std::vector<Profile::Entry> Profile::entries() const {
  const double pending = now_.row != nullptr ? clock_() - since_ : 0.0;
  std::vector<Entry> entries;
  const auto add = [&](const Row& row) {
    for (std::size_t i = 0; i < profile_parts; ++i) {
      if (row.counts[i] == 0) continue;
      const auto part = static_cast<ProfilePart>(i);
      const bool is_running = now_.row == &row && now_.part == part;
      entries.push_back({row.subproblem, part, row.counts[i], row.seconds[i] + (is_running ? pending : 0.0)});
    }
  };
  for (auto row = std::next(rows_.begin()); row != rows_.end(); ++row) add(*row);
  add(rows_.front());
  return entries;
}

double Profile::seconds() const {
  const std::vector<Entry> all = entries();
  return std::accumulate(all.begin(), all.end(), 0.0,
                         [](double sum, const Entry& entry) { return sum + entry.seconds; });
}

}  // namespace picus
