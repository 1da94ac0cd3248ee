#include "recorded_run.hpp"

#include "description.hpp"
#include <picus/error.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace picus::results {
namespace {

bool has_number(hid_t set, Number number) {
  const Hdf5Handle type(H5Dget_type(set));
  const Hdf5Handle native(H5Tget_native_type(type.id(), H5T_DIR_ASCEND));
  return H5Tequal(native.id(), native_type(number)) > 0;
}

}  // namespace

RecordedRun::RecordedRun(const std::filesystem::path& path) : path_(path) {
  if (::access(path.c_str(), R_OK) != 0) refuse(std::strerror(errno));
  if (std::filesystem::is_directory(path)) refuse(std::strerror(EISDIR));
  file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file_) refuse("it is not an HDF5 file, or damaged");
  const std::string newer = newer_format(file_.id());
  if (!newer.empty()) refuse(newer);
}

std::int64_t RecordedRun::rows(const Column& column) const {
  return static_cast<std::int64_t>(shape_of(open(column).id())[0]) / column.row_length();
}

void RecordedRun::refuse(const std::string& reason) const {
  throw FileError(fmt::format("cannot go on with file \"{}\": {}", path_.string(), reason));
}

Hdf5Handle RecordedRun::open(const Column& column) const {
  Hdf5Handle set(H5Dopen2(file_.id(), column.name.c_str(), H5P_DEFAULT));
  if (!set) refuse(fmt::format("it has no data set {}", column.name));
  const std::vector<hsize_t> shape = shape_of(set.id());
  const std::span<const Index> row_shape = column.row_shape();
  const bool fits = shape.size() == row_shape.size() + 1 &&
                    std::equal(row_shape.begin(), row_shape.end(), shape.begin() + 1,
                               [](Index a, hsize_t b) { return static_cast<hsize_t>(a) == b; }) &&
                    has_number(set.id(), column.number);
  if (!fits) refuse(fmt::format("its data set {} has other rows than this run", column.name));
  return set;
}

std::vector<double> RecordedRun::times(const Column& column, std::int64_t rows) const {
  std::vector<double> times(static_cast<std::size_t>(rows));
  read_rows(column, 0, rows, std::as_writable_bytes(std::span(times)));
  return times;
}

void RecordedRun::read_rows(const Column& column, std::int64_t first, std::int64_t count,
                            std::span<std::byte> bytes) const {
  const Hdf5Handle set = open(column);
  std::vector<hsize_t> size = shape_of(set.id());
  const std::int64_t length = column.row_length();
  if (size[0] < static_cast<hsize_t>((first + count) * length))
    refuse(fmt::format("its data set {} is too short", column.name));
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = static_cast<hsize_t>(first * length);
  size[0] = static_cast<hsize_t>(count * length);
  const Hdf5Handle from(H5Dget_space(set.id()));
  H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
  const Hdf5Handle to(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  if (H5Dread(set.id(), native_type(column.number), to.id(), from.id(), H5P_DEFAULT, bytes.data()) < 0)
    refuse(fmt::format("its data set {} is damaged", column.name));
}

}  // namespace picus::results
