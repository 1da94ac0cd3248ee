#pragma once

/// What is asked of a path before anything is read from it.

#include <cstdint>
#include <filesystem>
#include <string>

namespace picus::detail {

/// Why a path is no file that can be read: there is nothing, it may not be read, it is a folder, a pipe or a device
/// (from which reading could wait for ever). Empty if it can.
std::string why_unreadable(const std::filesystem::path& path);

/// The memory of this machine, bytes.
std::uint64_t machine_memory();

}  // namespace picus::detail
