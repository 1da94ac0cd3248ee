#pragma once

#include <picus/hdf5_recorder.hpp>

#include <filesystem>

namespace picus::results {

/// Throws OptionError for a path or options that no result file can have.
void check_options(const std::filesystem::path& path, const Hdf5RecorderOptions& options);

}  // namespace picus::results
