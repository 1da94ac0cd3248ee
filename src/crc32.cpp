#include "crc32.hpp"

#include <array>

namespace picus::detail {
namespace {

/// The remainders of all byte values.
constexpr std::array<std::uint32_t, 256> remainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320u : 0u);
    table[byte] = remainder;
  }
  return table;
}();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t remainder = 0xFFFFFFFFu;
  for (const std::byte byte : bytes) {
    remainder = (remainder >> 8) ^ remainders[(remainder ^ std::to_integer<std::uint32_t>(byte)) & 0xFF];
  }
  return ~remainder;
}

}  // namespace picus::detail
