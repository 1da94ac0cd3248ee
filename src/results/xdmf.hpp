#pragma once

/// The file that tells ParaView how to draw a result: which numbers of the HDF5 file are points, lines and
/// velocities, at which times.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace picus::results {

/// What is drawn: records `row` of the HDF5 file at instants `time`.
struct XdmfMotion {
  std::string title;
  std::string results;    ///< name of the HDF5 file, which is in the same folder
  std::int64_t rows = 0;  ///< records in it
  std::size_t points = 0;
  std::size_t cells = 0;
  std::size_t topology_size = 0;  ///< numbers in /visualization/connectivity
  struct Frame {
    std::int64_t row;
    double time;
  };
  std::vector<Frame> frames;
};

std::string xdmf_text(const XdmfMotion& motion);

/// Writes a text file, replacing one that exists at once: a reader sees the old or the new one. Throws
/// FileError.
void replace_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace picus::results
