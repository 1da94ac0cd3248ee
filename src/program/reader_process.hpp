#pragma once

/// Untrusted files are read in a separate process: the HDF5 library may crash on a damaged file, or loop forever.

#include <filesystem>
#include <functional>
#include <string>

namespace picus::program {

/// Calls `read` in a child process and returns its result. Its exceptions are rethrown as FileError. Throws FileError
/// `cannot read file "FILE": ...` if the process crashes or exceeds a limit: `base` seconds of CPU time plus one for each
/// 5 MB of the file, six times as long in all, and 2 GB of memory plus four times the size of the file.
std::string read_apart(const std::filesystem::path& file, const std::function<std::string()>& read,
                       double base = 10.0);

}  // namespace picus::program
