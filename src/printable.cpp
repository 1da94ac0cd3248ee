#include "printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace picus::detail {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
};

/// The first character of a text.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (bytes == 0 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr char32_t shortest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code < shortest[bytes] || code > 0x10FFFF || is_surrogate) return {};
  return {code, bytes};
}

bool is_control(char32_t c) {
  const bool is_c0_or_c1 = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool ends_line = c == 0x2028 || c == 0x2029;
  const bool turns_direction = c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) ||
                               (c >= 0x2066 && c <= 0x2069);
  return is_c0_or_c1 || ends_line || turns_direction;
}

std::string escape(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  const auto number = static_cast<unsigned>(c);
  return c < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    if (character.bytes == 0) {
      result += escape(static_cast<unsigned char>(text[0]));
    } else if (is_control(character.code)) {
      result += escape(character.code);
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace picus::detail
