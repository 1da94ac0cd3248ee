#include "xdmf.hpp"

#include "committed_file.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <bit>
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

/// Three float32 of each point. The row in the comment makes the items differ: ParaView's oldest reader
/// takes a geometry that begins with the same text for the same geometry.
std::string vectors(const XdmfMotion& motion, const XdmfFrame& frame, std::uint64_t place) {
  constexpr std::string_view endian = std::endian::native == std::endian::little ? "Little" : "Big";
  return fmt::format(
      "<DataItem Dimensions=\"{} 3\" NumberType=\"Float\" Precision=\"4\" Format=\"Binary\" Endian=\"{}\" "
      "Seek=\"{}\"><!--{}-->{}</DataItem>",
      motion.points, endian, place, frame.row, escaped(motion.results));
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

std::string xdmf_text(const XdmfMotion& motion) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
      "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
      escaped(motion.title));
  const std::string topology = fmt::format(
      "<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">"
      "<DataItem Dimensions=\"{}\" NumberType=\"Int\" Precision=\"4\" Format=\"HDF\">"
      "{}:/visualization/connectivity</DataItem></Topology>",
      motion.cells, motion.connectivity_size, escaped(motion.results));
  for (std::size_t i = 0; i < motion.frames.size(); ++i) {
    const XdmfFrame& frame = motion.frames[i];
    fmt::format_to(
        std::back_inserter(text),
        "<Grid Name=\"model\" GridType=\"Uniform\"><Time Value=\"{:.12g}\"/>\n{}\n"
        "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n"
        "<Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">{}</Attribute></Grid>\n",
        frame.time, topology, vectors(motion, frame, motion.positions[i]),
        vectors(motion, frame, motion.velocities[i]));
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
