#include "unit_text.hpp"

#include <algorithm>
#include <array>

namespace picus::detail {
namespace {

// Units that may have a decimal prefix, and units that may not.
constexpr std::array<std::string_view, 22> with_prefix = {"m", "g", "s",  "N",   "Pa", "J",  "W", "Hz",
                                                          "V", "A", "K",  "C",   "F",  "H",  "T", "Wb",
                                                          "S", "t", "eV", "bar", "lx", "rad"};
constexpr std::array<std::string_view, 17> alone = {
    "1", "mol", "cd", "Ohm", "ohm", "%", "deg", "degC", "°", "rev", "rpm", "h", "min", "d", "dB", "l", "sr"};
constexpr std::array<std::string_view, 12> prefixes = {"",  "k", "M", "G", "T",  "m",
                                                       "u", "µ", "n", "c", "da", "d"};

bool is_factor(std::string_view text) {
  const bool is_one = text == "1";
  while (!is_one && !text.empty() &&
         std::string_view("0123456789^-+").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  if (std::ranges::find(alone, text) != alone.end()) return true;
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
    return text.starts_with(prefix) &&
           std::ranges::find(with_prefix, text.substr(prefix.size())) != with_prefix.end();
  });
}

}  // namespace

bool is_unit(std::string_view text) {
  if (text.empty()) return true;
  constexpr std::string_view between = " */()";
  bool has_factor = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(between), text.size());
    if (end > 0 && !is_factor(text.substr(0, end))) return false;
    has_factor |= end > 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return has_factor;
}

}  // namespace picus::detail
