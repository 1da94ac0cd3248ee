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

/// The row in the comment makes the items differ: ParaView's oldest reader takes a geometry that begins with the same
/// text for the same geometry.
std::string numbers(const XdmfMotion& motion, const XdmfField& field, std::size_t frame) {
  constexpr std::string_view endian = std::endian::native == std::endian::little ? "Little" : "Big";
  const std::string size =
      field.size > 1 ? fmt::format("{} {}", field.count, field.size) : fmt::format("{}", field.count);
  const std::string_view type =
      field.is_byte ? R"(NumberType="UChar" Precision="1")" : R"(NumberType="Float" Precision="4")";
  return fmt::format(
      "<DataItem Dimensions=\"{}\" {} Format=\"Binary\" Endian=\"{}\" Seek=\"{}\"><!--{}-->{}</DataItem>",
      size, type, endian, field.places[frame], motion.frames[frame].row, escaped(motion.results));
}

/// Six numbers are no Tensor6, whose order is another one, and which stands for nine.
std::string_view attribute_type(std::int32_t size) {
  return size == 1 ? "Scalar" : size == 3 ? "Vector" : "Matrix";
}

std::string grid_text(const XdmfMotion& motion, const XdmfGrid& grid, std::size_t frame) {
  std::string text = fmt::format(
      "<Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">"
      "<DataItem Dimensions=\"{}\" NumberType=\"Int\" Precision=\"4\" "
      "Format=\"HDF\">{}:/{}</DataItem></Topology>\n"
      "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
      grid.name, grid.cells, grid.topology_size, escaped(motion.results), grid.topology,
      numbers(motion, grid.points, frame));
  for (const XdmfField& field : grid.fields) {
    fmt::format_to(std::back_inserter(text),
                   "<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>\n",
                   escaped(field.name), attribute_type(field.size),
                   field.centre == XdmfCentre::point ? "Node" : "Cell", numbers(motion, field, frame));
  }
  return text + "</Grid>\n";
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
  for (std::size_t frame = 0; frame < motion.frames.size(); ++frame) {
    fmt::format_to(
        std::back_inserter(text),
        "<Grid Name=\"model\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"{:.12g}\"/>\n",
        motion.frames[frame].time);
    for (const XdmfGrid& grid : motion.grids) text += grid_text(motion, grid, frame);
    text += "</Grid>\n";
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
