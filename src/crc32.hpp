#pragma once

/// The checksum of checkpoints.

#include <cstddef>
#include <cstdint>
#include <span>

namespace picus::detail {

/// CRC-32 of IEEE 802.3, as in zlib and PNG (polynomial 0x04C11DB7, reflected). The core has its own implementation, so
/// that programs without result files do not need zlib.
std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace picus::detail
