#pragma once

/// Files that are written under temporary names in their folder until they are complete.
///
/// A killed process leaves such a file behind. It is locked as long as its process exists, so that a later process that
/// writes the same target recognises it as abandoned and removes it.

#include <filesystem>

namespace picus::results {

struct PartFile {
  int descriptor = -1;  ///< open for reading and writing, locked; -1: it could not be created, see errno
  std::filesystem::path path;
};

/// Creates an empty file TARGET.part-PID-NUMBER. The first time that a process writes this target it removes the files
/// abandoned by earlier processes.
PartFile open_part(const std::filesystem::path& target) noexcept;

/// To be called once the file has its final name: readers may lock it themselves.
void unlock_part(int descriptor) noexcept;

}  // namespace picus::results
