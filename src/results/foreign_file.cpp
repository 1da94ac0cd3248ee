#include "foreign_file.hpp"

#include "../printable.hpp"
#include "../readable_file.hpp"
#include "description.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace picus::results {
namespace {

constexpr std::size_t most_attributes = 1000;
constexpr std::size_t most_objects = 200'000;
constexpr std::size_t deepest = 64;
constexpr int most_sources = 4096;
constexpr double largest_chunk = 1 << 30;
constexpr double best_packing = 1100;  // deflate compresses a thousand zeros to a byte

herr_t add_name(std::vector<std::string>& names, const char* name, std::size_t most) {
  if (names.size() == most) return 1;
  names.emplace_back(name);
  return 0;
}

/// nullopt: they are damaged.
std::optional<std::vector<std::string>> attribute_names_of(hid_t object) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
    return add_name(*static_cast<std::vector<std::string>*>(data), name, most_attributes);
  };
  // Only objects that track the order of creation provide it.
  if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names) < 0) {
    names.clear();
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) return std::nullopt;
  }
  return names;
}

/// nullopt: they are damaged.
std::optional<std::vector<std::string>> link_names_of(hid_t group) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t* link, void* data) -> herr_t {
    if (link->type != H5L_TYPE_HARD) return 0;
    return add_name(*static_cast<std::vector<std::string>*>(data), name, most_objects);
  };
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names) < 0) return std::nullopt;
  return names;
}

Hdf5Handle open_hard(hid_t group, const std::string& name) {
  if (name.find('/') != std::string::npos) return {};  // not a single link: the path could contain others
  H5L_info_t link;
  if (H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) return {};
  return Hdf5Handle(H5Oopen(group, name.c_str(), H5P_DEFAULT));
}

/// The size of all values in bytes; as double, which does not overflow.
double bytes_of(hid_t set, const std::vector<unsigned long long>& shape) {
  const Hdf5Handle type(H5Dget_type(set));
  auto bytes = static_cast<double>(H5Tget_size(type.id()));
  for (const unsigned long long length : shape) bytes *= static_cast<double>(length);
  return bytes;
}

bool has_numbers(hid_t set) {
  const Hdf5Handle type(H5Dget_type(set));
  const H5T_class_t kind = H5Tget_class(type.id());
  constexpr std::size_t widest = 16;
  return (kind == H5T_INTEGER || kind == H5T_FLOAT) && H5Tget_size(type.id()) <= widest;
}

/// Other filters would be searched among the plug-ins of this machine, or are rare and little tested.
bool has_known_filters(hid_t creation) {
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, more = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &more);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      return false;
  }
  return count >= 0;
}

double chunk_bytes_of(hid_t set, hid_t creation) {
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data());
  if (rank < 0) return 0.0;
  return bytes_of(set, {chunk.begin(), chunk.begin() + std::min(rank, H5S_MAX_RANK)});
}

using Name = std::array<char, 4096>;

}  // namespace

ForeignFile::ForeignFile(std::filesystem::path path, std::string message)
    : path_(std::move(path)), message_(std::move(message)) {
  const std::string reason = detail::why_unreadable(path_);
  if (!reason.empty()) refuse(reason);
  H5PLset_loading_state(0);  // a file must not be able to load plug-ins
  file_ = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file_) refuse("it is not an HDF5 file, or damaged");
  bytes_ = static_cast<double>(std::filesystem::file_size(path_));
  const std::string newer = newer_format(file_.id());
  if (!newer.empty()) refuse(newer);
}

void ForeignFile::refuse(const std::string& reason) const {
  throw FileError(fmt::format(fmt::runtime(message_), path_.string(), detail::printable(reason)));
}

Hdf5Handle ForeignFile::open(const std::string& object) const {
  Hdf5Handle current(H5Oopen(file_.id(), "/", H5P_DEFAULT));
  std::size_t begin = 0;
  while (current && begin < object.size()) {
    const std::size_t end = std::min(object.find('/', begin), object.size());
    if (end > begin) current = open_hard(current.id(), object.substr(begin, end - begin));
    begin = end + 1;
  }
  return current;
}

std::vector<std::string> ForeignFile::attribute_names(const std::string& object) const {
  const Hdf5Handle opened = open(object);
  if (!opened) return {};
  auto names = attribute_names_of(opened.id());
  if (!names) refuse(fmt::format("the attributes of {} are damaged", object.empty() ? "/" : object));
  return *std::move(names);
}

ForeignFile::Objects ForeignFile::objects() const {
  struct Level {
    Hdf5Handle group;
    std::string path;
    std::vector<std::string> names;
    std::size_t next = 0;
  };
  Objects objects;
  std::set<haddr_t> known;
  const auto is_new = [&](hid_t object, const std::string& path, H5O_info_t& about) {
    if (H5Oget_info2(object, &about, H5O_INFO_BASIC) < 0) refuse(fmt::format("{} is damaged", path));
    return known.insert(about.addr).second;
  };
  std::vector<Level> levels;
  const auto enter = [&](Hdf5Handle group, std::string path) {
    auto names = link_names_of(group.id());
    if (!names) refuse(fmt::format("its group {} is damaged", path.empty() ? "/" : path));
    levels.push_back({std::move(group), std::move(path), *std::move(names)});
  };
  Hdf5Handle root = open("");
  H5O_info_t about;
  if (!root || !is_new(root.id(), "/", about)) refuse("/ is damaged");
  enter(std::move(root), "");
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.names.size()) {
      levels.pop_back();
      continue;
    }
    const std::string name = level.names[level.next++];
    std::string path = level.path + '/' + name;
    if (known.size() == most_objects) {
      objects.is_complete = false;
      break;
    }
    Hdf5Handle object = open_hard(level.group.id(), name);
    if (!object) refuse(fmt::format("{} is damaged", path));
    if (!is_new(object.id(), path, about)) continue;
    if (about.type == H5O_TYPE_DATASET) {
      objects.data_sets.push_back(std::move(path));
      continue;
    }
    if (about.type != H5O_TYPE_GROUP) continue;
    objects.groups.push_back(path);
    if (levels.size() == deepest)
      objects.is_complete = false;
    else
      enter(std::move(object), std::move(path));
  }
  return objects;
}

ForeignFile::DataSet ForeignFile::describe(const Hdf5Handle& set) const {
  DataSet result;
  result.unreadable = why_not_to_be_read(set, false);
  // Querying the shape of a virtual data set opens its source files.
  const Hdf5Handle creation(H5Dget_create_plist(set.id()));
  if (!creation) return result;
  result.is_virtual = H5Pget_layout(creation.id()) == H5D_VIRTUAL;
  if (result.is_virtual && !result.unreadable.empty()) return result;
  for (const hsize_t length : shape_of(set.id())) result.shape.push_back(static_cast<std::int64_t>(length));
  result.is_numeric = has_numbers(set.id());
  return result;
}

std::string ForeignFile::why_not_to_be_read(const Hdf5Handle& set, bool is_source) const {
  const Hdf5Handle creation(H5Dget_create_plist(set.id()));
  if (!creation || H5Iget_type(set.id()) != H5I_DATASET) return "it is damaged";
  if (H5Pget_external_count(creation.id()) != 0) return "its numbers are in another file";
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  const bool is_virtual = layout == H5D_VIRTUAL;
  if (is_virtual && is_source) return "it shows what shows others";
  if (is_virtual) {  // before its shape is queried, which opens its sources
    const std::string reason = why_virtual_not_to_be_read(creation.id());
    if (!reason.empty()) return reason;
  }
  if (!has_known_filters(creation.id())) return "it is packed by a filter that is not read here";
  const double bytes = bytes_of(set.id(), shape_of(set.id()));
  const double stored =
      is_virtual ? bytes_ : std::min(static_cast<double>(H5Dget_storage_size(set.id())), bytes_);
  const double most = layout == H5D_CHUNKED || is_virtual ? best_packing * stored : stored;
  if (bytes > most)
    return fmt::format("it claims {:.3g} bytes, of which the file holds no more than {:.3g}", bytes, most);
  const double chunk_bytes = layout == H5D_CHUNKED ? chunk_bytes_of(set.id(), creation.id()) : 0.0;
  if (chunk_bytes > largest_chunk)
    return fmt::format("its chunks of {:.3g} bytes are too large", chunk_bytes);
  return "";
}

std::string ForeignFile::why_virtual_not_to_be_read(Hdf5Handle::Id creation) const {
  std::size_t count = 0;
  if (H5Pget_virtual_count(creation, &count) < 0 || count > most_sources) return "it is damaged";
  for (std::size_t i = 0; i < count; ++i) {
    Name file{}, source{};
    const ssize_t file_length = H5Pget_virtual_filename(creation, i, file.data(), file.size());
    const ssize_t source_length = H5Pget_virtual_dsetname(creation, i, source.data(), source.size());
    const auto fits = [](ssize_t length) {
      return length > 0 && length < static_cast<ssize_t>(Name{}.size());
    };
    if (!fits(file_length) || !fits(source_length)) return "it is damaged";
    if (std::string_view(file.data()) != ".") return "it shows numbers of another file";
    // HDF5 reads a number for "%b" and '%' for "%%": other data sets than that of this name, the only one checked here.
    const std::string_view pattern(source.data());
    if (pattern.find("%b") != std::string_view::npos || pattern.find("%%") != std::string_view::npos)
      return "it shows data sets of a pattern of names";
    const Hdf5Handle opened = open(source.data());
    if (!opened) return "it shows what is not in the file";
    const std::string reason = why_not_to_be_read(opened, true);
    if (!reason.empty()) return fmt::format("it shows {}: {}", source.data(), reason);
  }
  return "";
}

}  // namespace picus::results
