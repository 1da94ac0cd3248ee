#pragma once

/// Files that are written beside their place, under names of their own, until they are complete.
///
/// A process that is killed leaves such a file behind. It is locked as long as its process lives, so that a later one
/// that writes the same target can tell that it is dead, and remove it.

#include <filesystem>

namespace picus::results {

struct PartFile {
  int descriptor = -1;  ///< open for reading and writing, locked; -1: it cannot be made, errno says why
  std::filesystem::path path;
};

/// A new empty file TARGET.part-PID-NUMBER. The first time that a process writes this target it removes what dead
/// processes have left of it.
PartFile open_part(const std::filesystem::path& target) noexcept;

/// To be called once the file has its name: others that read it may lock it themselves.
void unlock_part(int descriptor) noexcept;

}  // namespace picus::results
