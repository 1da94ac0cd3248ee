#include "attributes.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace picus::results {
namespace {

constexpr std::size_t most_bytes = 1 << 20;  // larger attributes are not read
constexpr std::size_t most_shown = 16;       // numbers or texts
constexpr std::size_t longest_text = 20'000;
constexpr double most_text_bytes = 1 << 30;

/// Number of values; nullopt if they exceed `most_bytes` with `value_bytes` each.
std::optional<std::size_t> values_in(hid_t space, std::size_t value_bytes) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > H5S_MAX_RANK) return std::nullopt;
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  double count = H5Sget_simple_extent_type(space) == H5S_NULL ? 0.0 : 1.0;
  for (int i = 0; i < rank; ++i) count *= static_cast<double>(shape[i]);
  if (count * static_cast<double>(std::max<std::size_t>(value_bytes, 1)) > most_bytes) return std::nullopt;
  return static_cast<std::size_t>(count);
}

/// "a b c", or "a b ... (64 WHAT)".
template <class Values>
std::string list(const Values& values, const char* what) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), most_shown); ++i)
    text += fmt::format("{}{}", i > 0 ? " " : "", values[i]);
  if (values.size() > most_shown) text += fmt::format(" ... ({} {})", values.size(), what);
  return text;
}

template <class T>
std::optional<std::vector<T>> read_numbers(hid_t attribute, hid_t memory_type, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0 && H5Aread(attribute, memory_type, values.data()) < 0) return std::nullopt;
  return values;
}

template <class T>
std::optional<Attribute> number_attribute(hid_t attribute, hid_t memory_type, std::size_t count) {
  const auto values = read_numbers<T>(attribute, memory_type, count);
  if (!values) return std::nullopt;
  Attribute result{list(*values, "numbers")};
  if constexpr (std::is_integral_v<T>) {
    if (count == 1 && std::in_range<std::int64_t>(values->front()))
      result.integer = static_cast<std::int64_t>(values->front());
  }
  return result;
}

std::string cut_short(std::string text) {
  if (text.size() <= longest_text) return text;
  return fmt::format("{} ... ({} bytes)", text.substr(0, longest_text), text.size());
}

/// Reads texts of variable length, which are allocated and freed by HDF5.
std::optional<std::vector<std::string>> read_long_texts(hid_t attribute, hid_t type, hid_t space,
                                                        std::size_t count) {
  std::vector<char*> pointers(count, nullptr);
  if (count > 0 && H5Aread(attribute, type, pointers.data()) < 0) return std::nullopt;
  std::vector<std::string> texts;
  for (const char* const pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  if (count > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return texts;
}

std::optional<std::vector<std::string>> read_fixed_texts(hid_t attribute, hid_t type, std::size_t length,
                                                         std::size_t count) {
  std::vector<char> bytes(length * count);
  if (!bytes.empty() && H5Aread(attribute, type, bytes.data()) < 0) return std::nullopt;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const begin = bytes.data() + i * length;
    texts.emplace_back(begin, ::strnlen(begin, length));
  }
  return texts;
}

const char* name_of(H5T_class_t kind) {
  switch (kind) {
    case H5T_TIME:
      return "(time)";
    case H5T_BITFIELD:
      return "(bits)";
    case H5T_OPAQUE:
      return "(opaque)";
    case H5T_COMPOUND:
      return "(compound)";
    case H5T_REFERENCE:
      return "(reference)";
    case H5T_VLEN:
      return "(lists)";
    case H5T_ARRAY:
      return "(arrays)";
    default:
      return "(unknown type)";
  }
}

/// Whether texts of variable length may take too much memory: all may be one and the same text of the size of the file,
/// of which HDF5 makes a copy for each.
bool may_be_too_long(hid_t attribute, std::size_t count) {
  if (count <= most_shown) return false;
  const Hdf5Handle file(H5Iget_file_id(attribute));
  hsize_t bytes = 0;
  if (!file || H5Fget_filesize(file.id(), &bytes) < 0) return true;
  return static_cast<double>(count) * static_cast<double>(bytes) > most_text_bytes;
}

std::optional<Attribute> read_texts(hid_t attribute, hid_t type, hid_t space, std::size_t count) {
  const bool is_long = H5Tis_variable_str(type) > 0;
  if (is_long && may_be_too_long(attribute, count))
    return Attribute{fmt::format("({} texts, not read)", count)};
  const auto texts = is_long ? read_long_texts(attribute, type, space, count)
                             : read_fixed_texts(attribute, type, H5Tget_size(type), count);
  if (!texts) return std::nullopt;
  return Attribute{cut_short(list(*texts, "texts"))};
}

std::optional<Attribute> read_value(hid_t attribute) {
  const Hdf5Handle type(H5Aget_type(attribute));
  const Hdf5Handle space(H5Aget_space(attribute));
  if (!type || !space) return std::nullopt;
  const std::optional<std::size_t> count = values_in(space.id(), H5Tget_size(type.id()));
  if (!count) return Attribute{"(too large to be shown)"};
  switch (const H5T_class_t kind = H5Tget_class(type.id()); kind) {
    case H5T_INTEGER:
      if (H5Tget_sign(type.id()) == H5T_SGN_NONE)
        return number_attribute<std::uint64_t>(attribute, H5T_NATIVE_UINT64, *count);
      return number_attribute<std::int64_t>(attribute, H5T_NATIVE_INT64, *count);
    case H5T_ENUM:
      return number_attribute<std::int64_t>(attribute, H5T_NATIVE_INT64, *count);
    case H5T_FLOAT:
      return number_attribute<double>(attribute, H5T_NATIVE_DOUBLE, *count);
    case H5T_STRING:
      return read_texts(attribute, type.id(), space.id(), *count);
    default:
      return Attribute{name_of(kind)};
  }
}

}  // namespace

std::optional<Attribute> read_attribute(Hdf5Handle::Id object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  return (attribute ? read_value(attribute.id()) : std::nullopt).value_or(Attribute{"(damaged)"});
}

}  // namespace picus::results
