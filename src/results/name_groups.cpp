#include "name_groups.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace picus::results {
namespace {

struct IndexedName {
  std::string_view base;
  std::size_t number;
};

/// The parts of "beam[12]".
std::optional<IndexedName> parse(std::string_view name) {
  const std::size_t bracket = name.rfind('[');
  if (bracket == std::string_view::npos || bracket == 0 || name.back() != ']') return std::nullopt;
  const std::string_view digits = name.substr(bracket + 1, name.size() - bracket - 2);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return IndexedName{name.substr(0, bracket), number};
}

/// All names with one base: an array as long as numbers are consecutive and the kind is the same.
struct Candidate {
  std::size_t count = 0;
  Index kind = 0;
  bool is_array = true;
};

}  // namespace

std::vector<Index> NameGroup::shape(std::vector<Index> member_shape) const {
  if (is_array) member_shape.insert(member_shape.begin(), count_of(members));
  return member_shape;
}

std::vector<NameGroup> group_names(std::span<const std::string> names, std::span<const Index> kinds) {
  std::unordered_map<std::string_view, Candidate> candidates;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto indexed = parse(names[i]);
    if (!indexed) continue;
    Candidate& candidate = candidates[indexed->base];
    if (candidate.count == 0) candidate.kind = kinds[i];
    if (indexed->number != candidate.count++ || kinds[i] != candidate.kind) candidate.is_array = false;
  }
  for (const std::string& name : names) {
    const auto taken = candidates.find(name);
    if (taken != candidates.end()) taken->second.is_array = false;
  }

  std::vector<NameGroup> groups;
  std::unordered_map<std::string_view, std::size_t> arrays;
  for (Index i = 0; i < count_of(names); ++i) {
    const auto indexed = parse(names[i]);
    if (!indexed || !candidates[indexed->base].is_array) {
      groups.push_back({names[i], {i}, false});
      continue;
    }
    const auto [place, is_new] = arrays.try_emplace(indexed->base, groups.size());
    if (is_new) groups.push_back({std::string(indexed->base), {}, true});
    groups[place->second].members.push_back(i);
  }
  return groups;
}

}  // namespace picus::results
