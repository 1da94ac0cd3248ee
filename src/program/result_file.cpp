#include "result_file.hpp"

#include "../results/description.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace picus::program {
namespace {

using results::Hdf5Handle;

/// An attribute of text or number as text, empty for anything else.
std::string read_text(hid_t attribute) {
  const Hdf5Handle type(H5Aget_type(attribute));
  switch (H5Tget_class(type.id())) {
    case H5T_INTEGER: {
      std::int64_t value = 0;
      H5Aread(attribute, H5T_NATIVE_INT64, &value);
      return fmt::format("{}", value);
    }
    case H5T_FLOAT: {
      double value = 0.0;
      H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
      return fmt::format("{}", value);
    }
    case H5T_STRING:
      break;
    default:
      return "";
  }
  if (H5Tis_variable_str(type.id()) > 0) {
    char* characters = nullptr;
    if (H5Aread(attribute, type.id(), &characters) < 0 || characters == nullptr) return "";
    const std::string text = characters;
    H5free_memory(characters);
    return text;
  }
  std::string text(H5Tget_size(type.id()), '\0');
  H5Aread(attribute, type.id(), text.data());
  return text.substr(0, text.find('\0'));
}

}  // namespace

ResultFile::ResultFile(const std::filesystem::path& path) : path_(path) {
  if (::access(path.c_str(), R_OK) != 0) fail(std::strerror(errno));
  if (std::filesystem::is_directory(path)) fail(std::strerror(EISDIR));
  file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file_) fail("it is not an HDF5 file, or damaged");
  if (H5Aexists(file_.id(), "picus_version") <= 0) fail("it is not a result of Picus");
  const std::string newer = results::newer_format(file_.id());
  if (!newer.empty()) fail(newer);
}

void ResultFile::fail(const std::string& reason) const {
  throw FileError(fmt::format("cannot read file \"{}\": {}", path_.string(), reason));
}

Hdf5Handle ResultFile::check(std::int64_t id) const {
  if (id < 0) fail(results::hdf5_error());
  return Hdf5Handle(id);
}

TextEntries ResultFile::attributes(const std::string& object) const {
  TextEntries entries;
  const std::string path = object.empty() ? "/" : object;
  if (path != "/" && H5Lexists(file_.id(), path.c_str(), H5P_DEFAULT) <= 0) return entries;
  const Hdf5Handle opened = check(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT));
  const auto collect = [](hid_t location, const char* name, const H5A_info_t*, void* data) -> herr_t {
    const Hdf5Handle attribute(H5Aopen(location, name, H5P_DEFAULT));
    static_cast<TextEntries*>(data)->emplace_back(name, read_text(attribute.id()));
    return 0;
  };
  // Only objects that track the order of creation can tell it.
  if (H5Aiterate2(opened.id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &entries) < 0) {
    entries.clear();
    H5Aiterate2(opened.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &entries);
  }
  return entries;
}

std::string ResultFile::attribute(const std::string& object, const std::string& name,
                                  const std::string& otherwise) const {
  for (const auto& [key, value] : attributes(object)) {
    if (key == name) return value;
  }
  return otherwise;
}

std::vector<ResultFile::DataSet> ResultFile::data_sets() const {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5O_info_t* info, void* data) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  if (H5Ovisit(file_.id(), H5_INDEX_NAME, H5_ITER_INC, collect, &names) < 0) fail(results::hdf5_error());

  std::vector<DataSet> sets;
  for (const std::string& name : names) {
    const Hdf5Handle opened = check(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT));
    const Hdf5Handle type(H5Dget_type(opened.id()));
    const H5T_class_t kind = H5Tget_class(type.id());
    DataSet set{.name = '/' + name,
                .shape = {},
                .unit = attribute(name, "unit", ""),
                .description = attribute(name, "description", ""),
                .is_numeric = kind == H5T_INTEGER || kind == H5T_FLOAT};
    for (const hsize_t length : results::shape_of(opened.id()))
      set.shape.push_back(static_cast<std::int64_t>(length));
    sets.push_back(std::move(set));
  }
  return sets;
}

void ResultFile::for_each_row(const DataSet& set,
                              const std::function<void(std::span<const double>)>& use) const {
  const Hdf5Handle opened = check(H5Dopen2(file_.id(), set.name.c_str(), H5P_DEFAULT));
  const std::vector<hsize_t> shape = results::shape_of(opened.id());
  if (shape.empty() || !set.is_numeric) return;
  std::size_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) width *= static_cast<std::size_t>(shape[i]);

  const Hdf5Handle space = check(H5Dget_space(opened.id()));
  const hsize_t most_rows = std::max<hsize_t>(1, 1'000'000 / std::max<std::size_t>(width, 1));
  std::vector<double> numbers;
  for (hsize_t row = 0; row < shape[0]; row += most_rows) {
    std::vector<hsize_t> start(shape.size(), 0);
    std::vector<hsize_t> count = shape;
    start[0] = row;
    count[0] = std::min(most_rows, shape[0] - row);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Hdf5Handle memory = check(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
    numbers.resize(static_cast<std::size_t>(count[0]) * width);
    if (H5Dread(opened.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, numbers.data()) < 0) {
      fail(fmt::format("{} is damaged", set.name));
    }
    for (std::size_t i = 0; i < numbers.size(); i += width) use(std::span(numbers).subspan(i, width));
  }
}

}  // namespace picus::program
