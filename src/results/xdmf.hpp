#pragma once

/// The file that tells ParaView how to draw a result: which numbers of the HDF5 file are points, lines and
/// velocities, at which times.
///
/// Of ParaView's readers only the oldest can take a slab out of a data set. All of them can take raw numbers
/// from a place in a file, so that is how points and velocities are referred to.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace picus::results {

/// A record that is drawn.
struct XdmfFrame {
  std::int64_t row;
  double time;
};

/// The records that are drawn of a run of unknown length: at even distances, at most a fixed number.
class XdmfFrames {
 public:
  explicit XdmfFrames(std::size_t most) : most_(most) { chosen_.reserve(most); }
  /// To be called for every record, in order. Allocates nothing.
  void add(std::int64_t row, double time);
  /// The chosen records and the last one.
  std::vector<XdmfFrame> all() const;

 private:
  std::size_t most_;
  std::int64_t stride_ = 1;
  std::vector<XdmfFrame> chosen_;
  XdmfFrame last_{-1, 0.0};
};

/// What is drawn.
struct XdmfMotion {
  std::string title;
  std::string results;     ///< name of the HDF5 file, which is in the same folder
  std::size_t points = 0;  ///< of each record
  std::size_t cells = 0;
  std::size_t connectivity_size = 0;  ///< numbers in /visualization/connectivity
  std::vector<XdmfFrame> frames;
  std::vector<std::uint64_t> positions;   ///< where those of each frame are in the HDF5 file, bytes
  std::vector<std::uint64_t> velocities;  ///< likewise
};

std::string xdmf_text(const XdmfMotion& motion);

/// Writes a text file, replacing one that exists at once: a reader sees the old or the new one. Throws
/// FileError.
void replace_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace picus::results
