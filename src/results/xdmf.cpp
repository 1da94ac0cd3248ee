#include "xdmf.hpp"

#include "../committed_file.hpp"
#include "../part_file.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <utility>

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

using Text = fmt::memory_buffer;

template <class... Values>
void add(Text& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

/// Six numbers are not written as Tensor6, whose order is different, and which represents nine numbers.
std::string_view attribute_type(std::int32_t size) {
  return size == 1 ? "Scalar" : size == 3 ? "Vector" : "Matrix";
}

/// The text of a field in each frame, which is constant except for the offset in the file and the number of the frame.
/// The latter makes the items differ: ParaView's oldest reader considers geometries that begin with the same text to be
/// identical.
struct FieldText {
  std::string before, between, after;
  const std::vector<std::uint64_t>* places;

  void add_frame(Text& text, std::size_t frame) const {
    add(text, "{}{}{}{}{}", before, (*places)[frame], between, frame, after);
  }
};

FieldText numbers(const XdmfMotion& motion, const XdmfField& field, const std::string& head,
                  std::string_view tail) {
  constexpr std::string_view endian = std::endian::native == std::endian::little ? "Little" : "Big";
  const std::string size =
      field.size > 1 ? fmt::format("{} {}", field.count, field.size) : fmt::format("{}", field.count);
  const std::string_view type =
      field.is_byte ? R"(NumberType="UChar" Precision="1")" : R"(NumberType="Float" Precision="4")";
  return {fmt::format("{}<DataItem Dimensions=\"{}\" {} Format=\"Binary\" Endian=\"{}\" Seek=\"", head, size,
                      type, endian),
          "\"><!--", fmt::format("-->{}</DataItem>{}", escaped(motion.results), tail), &field.places};
}

/// The texts of the fields of a grid, each with the text before and after it.
std::vector<FieldText> grid_texts(const XdmfMotion& motion, const XdmfGrid& grid) {
  std::vector<FieldText> texts;
  texts.push_back(
      numbers(motion, grid.points,
              fmt::format("<Grid Name=\"{}\" GridType=\"Uniform\">\n"
                          "<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">"
                          "<DataItem Dimensions=\"{}\" NumberType=\"Int\" Precision=\"4\" "
                          "Format=\"HDF\">{}:/{}</DataItem></Topology>\n<Geometry GeometryType=\"XYZ\">",
                          grid.name, grid.cells, grid.topology_size, escaped(motion.results), grid.topology),
              "</Geometry>\n"));
  for (const XdmfField& field : grid.fields) {
    texts.push_back(
        numbers(motion, field,
                fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">", escaped(field.name),
                            attribute_type(field.size), field.centre == XdmfCentre::point ? "Node" : "Cell"),
                "</Attribute>\n"));
  }
  texts.back().after += "</Grid>\n";
  return texts;
}

}  // namespace

std::string xdmf_text(const XdmfMotion& motion) {
  std::vector<FieldText> fields;
  for (const XdmfGrid& grid : motion.grids) {
    for (FieldText& field : grid_texts(motion, grid)) fields.push_back(std::move(field));
  }
  Text text;
  add(text,
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
      "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
      escaped(motion.title));
  for (std::size_t frame = 0; frame < motion.frames.size(); ++frame) {
    add(text,
        "<Grid Name=\"model\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"{:.12g}\"/>\n",
        motion.frames[frame]);
    for (const FieldText& field : fields) field.add_frame(text, frame);
    add(text, "</Grid>\n");
  }
  add(text, "</Grid>\n</Domain>\n</Xdmf>\n");
  return fmt::to_string(text);
}

void replace_text_file(const std::filesystem::path& path, const std::string& text) {
  const PartFile part = open_part(path);
  const auto fail = [&] {
    const int error = errno;
    if (part.descriptor >= 0) {
      ::unlink(part.path.c_str());
      ::close(part.descriptor);
    }
    throw FileError(cannot_write(path, std::strerror(error)));
  };
  if (part.descriptor < 0) fail();
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = ::write(part.descriptor, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    rest.remove_prefix(count);
  }
  if (::rename(part.path.c_str(), path.c_str()) != 0) fail();
  ::close(part.descriptor);
}

}  // namespace picus::results
