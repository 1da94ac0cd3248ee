#pragma once

/// Checks of a path before anything is read from it.

#include <cstdint>
#include <filesystem>
#include <string>

namespace picus::detail {

/// Why a path is not a readable file: it does not exist, reading is not permitted, it is a folder, a pipe or a device
/// (reading from which could block forever). Empty if it is readable.
std::string why_unreadable(const std::filesystem::path& path);

/// The memory of this machine, bytes.
std::uint64_t machine_memory();

}  // namespace picus::detail
