#pragma once

/// The XDMF file, which describes to ParaView which numbers of the HDF5 file are points, cells and fields on them, and
/// at which times.
///
/// Of ParaView's readers only the oldest supports hyperslabs of data sets. All of them support raw numbers at an offset
/// in a file; points and velocities are therefore referenced in this way.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace picus::results {

enum class XdmfCentre : std::uint8_t { point, cell };

/// A field on the points or cells of a grid: raw numbers in the HDF5 file.
struct XdmfField {
  std::string name;
  XdmfCentre centre;
  std::int32_t count;                 ///< number of points or cells
  std::int32_t size;                  ///< numbers per point or cell
  bool is_byte;                       ///< uint8; float32 otherwise
  std::vector<std::uint64_t> places;  ///< offset of each frame, bytes
};

struct XdmfGrid {
  std::string name;
  std::string topology;       ///< data set of the cells
  std::size_t topology_size;  ///< numbers in the data set
  std::int32_t cells;
  XdmfField points;
  std::vector<XdmfField> fields;
};

/// A drawn motion.
struct XdmfMotion {
  std::string title;
  std::string results;          ///< name of the HDF5 file, which is in the same folder
  std::vector<double> frames;   ///< instants, s
  std::vector<XdmfGrid> grids;  ///< grids of each frame
};

std::string xdmf_text(const XdmfMotion& motion);

/// Writes a text file, replacing an existing one atomically: readers find the old or the new one. Throws FileError.
void replace_text_file(const std::filesystem::path& path, const std::string& text);

}  // namespace picus::results
