#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace picus {
namespace {

/// Lower case of ASCII letters, independent of the locale.
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

/// Smallest number of insertions, deletions, replacements and transpositions of adjacent letters that transform a into
/// b (Damerau-Levenshtein, transposed letters may be edited further).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t far = a.size() + b.size();
  const std::size_t width = b.size() + 2;
  std::vector<std::size_t> table((a.size() + 2) * width, far);  // row and column 0 stand for "not found"
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i + 1, 1) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(1, j + 1) = j;

  std::array<std::size_t, 256> last_row{};  // last row of each letter of a so far, 0 if none
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t last_column = 0;  // last column of a[i - 1] in b so far
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t row = last_row[static_cast<unsigned char>(b[j - 1])];
      const std::size_t column = last_column;
      const bool same = a[i - 1] == b[j - 1];
      if (same) last_column = j;
      at(i + 1, j + 1) = std::min({at(i, j) + (same ? 0 : 1), at(i + 1, j) + 1, at(i, j + 1) + 1,
                                   at(row, column) + (i - row - 1) + 1 + (j - column - 1)});
    }
    last_row[static_cast<unsigned char>(a[i - 1])] = i;
  }
  return at(a.size() + 1, b.size() + 1);
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = lower(name);
  std::size_t nearest = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string result;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance < nearest) {
      nearest = distance;
      result = candidate;
    }
  }
  return result;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? nearest : fmt::format(" (did you mean \"{}\"?)", nearest);
}

}  // namespace picus
