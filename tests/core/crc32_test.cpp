#include "../../src/crc32.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace picus {
namespace {

std::uint32_t checksum_of(std::string_view text) {
  return detail::crc32(std::as_bytes(std::span(text)));
}

/// The check values given in catalogues of this checksum and in zlib's own tests: stored checkpoints stay readable.
TEST(Crc32, IsThatOfZlib) {
  EXPECT_EQ(checksum_of(""), 0u);
  EXPECT_EQ(checksum_of("a"), 0xE8B7BE43u);
  EXPECT_EQ(checksum_of("123456789"), 0xCBF43926u);
  EXPECT_EQ(checksum_of("The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

}  // namespace
}  // namespace picus
