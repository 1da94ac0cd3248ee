#pragma once

/// Files that anybody may have written are read in a process of their own: the library for HDF5 can fall over a damaged
/// one, or go round in it for ever.

#include <filesystem>
#include <functional>
#include <string>

namespace picus::program {

/// Calls `read` in a child process and returns the text that it returns there. What it throws is thrown here, as
/// FileError. Throws FileError `cannot read file "FILE": ...` if the process crashes, or computes for longer than a file
/// of this size can take: a second for each 5 MB beyond `base` seconds.
std::string read_apart(const std::filesystem::path& file, const std::function<std::string()>& read,
                       double base = 10.0);

}  // namespace picus::program
