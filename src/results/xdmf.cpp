#include "xdmf.hpp"

#include "committed_file.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>

namespace picus::results {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// One row of a (rows, points, 3) data set.
std::string slab(const XdmfMotion& motion, std::int64_t row, std::string_view name) {
  return fmt::format(
      "<DataItem ItemType=\"HyperSlab\" Dimensions=\"1 {1} 3\">"
      "<DataItem Dimensions=\"3 3\" NumberType=\"Int\" Format=\"XML\">{0} 0 0 1 1 1 1 {1} 3</DataItem>"
      "<DataItem Dimensions=\"{2} {1} 3\" NumberType=\"Float\" Precision=\"4\" Format=\"HDF\">"
      "{3}:/visualization/{4}</DataItem></DataItem>",
      row, motion.points, motion.rows, escaped(motion.results), name);
}

}  // namespace

void XdmfFrames::add(std::int64_t row, double time) {
  last_ = {row, time};
  if (row % stride_ != 0) return;
  if (chosen_.size() == most_) {
    stride_ *= 2;
    std::erase_if(chosen_, [&](const XdmfFrame& frame) { return frame.row % stride_ != 0; });
    if (row % stride_ != 0) return;
  }
  chosen_.push_back(last_);
}

std::vector<XdmfFrame> XdmfFrames::all() const {
  std::vector<XdmfFrame> frames = chosen_;
  if (!frames.empty() && frames.back().row != last_.row) frames.push_back(last_);
  return frames;
}

std::string xdmf_text(const XdmfMotion& motion, const std::vector<XdmfFrame>& frames) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
      "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
      escaped(motion.title));
  const std::string topology = fmt::format(
      "<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">"
      "<DataItem Dimensions=\"{}\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">"
      "{}:/visualization/connectivity</DataItem></Topology>\n",
      motion.cells, motion.connectivity_size, escaped(motion.results));
  for (const XdmfFrame& frame : frames) {
    fmt::format_to(
        std::back_inserter(text),
        "<Grid Name=\"model\"><Time Value=\"{:.12g}\"/>\n{}"
        "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n"
        "<Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">{}</Attribute></Grid>\n",
        frame.time, topology, slab(motion, frame.row, "points"), slab(motion, frame.row, "velocity"));
  }
  return text + "</Grid>\n</Domain>\n</Xdmf>\n";
}

void replace_text_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::path temporary = path;
  temporary += ".part";
  const auto fail = [&] {
    const int error = errno;
    std::remove(temporary.c_str());
    throw FileError(cannot_write(path, std::strerror(error)));
  };
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail();
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (std::fclose(file) != 0 || !is_written) {
    if (!is_written) errno = error;
    fail();
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail();
}

}  // namespace picus::results
