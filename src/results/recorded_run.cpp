#include "recorded_run.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

namespace picus::results {
namespace {

bool has_number(hid_t set, Number number) {
  const Hdf5Handle type(H5Dget_type(set));
  const Hdf5Handle native(H5Tget_native_type(type.id(), H5T_DIR_ASCEND));
  return H5Tequal(native.id(), native_type(number)) > 0;
}

}  // namespace

RecordedRun::RecordedRun(const std::filesystem::path& path)
    : file_(path, "cannot go on with file \"{}\": {}") {}

std::int64_t RecordedRun::rows(const Column& column) const {
  return static_cast<std::int64_t>(shape_of(open(column).id())[0]) / column.row_length();
}

Hdf5Handle RecordedRun::open(const Column& column) const {
  Hdf5Handle set = file_.open(column.name);
  if (!set || H5Iget_type(set.id()) != H5I_DATASET) refuse(fmt::format("it has no data set {}", column.name));
  if (checked_.contains(column.name)) return set;
  const std::string reason = file_.describe(set).unreadable;
  if (!reason.empty()) refuse(fmt::format("of its data set {}: {}", column.name, reason));
  const std::vector<hsize_t> shape = shape_of(set.id());
  const std::span<const Index> row_shape = column.row_shape();
  const bool fits = shape.size() == row_shape.size() + 1 &&
                    std::equal(row_shape.begin(), row_shape.end(), shape.begin() + 1,
                               [](Index a, hsize_t b) { return static_cast<hsize_t>(a) == b; }) &&
                    has_number(set.id(), column.number);
  if (!fits) refuse(fmt::format("its data set {} has other rows than this run", column.name));
  checked_.insert(column.name);
  return set;
}

std::vector<double> RecordedRun::times(const Column& column, std::int64_t rows) const {
  std::vector<double> times(rows);
  read_rows(column, 0, rows, std::as_writable_bytes(std::span(times)));
  return times;
}

void RecordedRun::read_rows(const Column& column, std::int64_t first, std::int64_t count,
                            std::span<std::byte> bytes) const {
  const Hdf5Handle set = open(column);
  std::vector<hsize_t> size = shape_of(set.id());
  const std::int64_t length = column.row_length();
  if (size[0] / static_cast<hsize_t>(length) < static_cast<hsize_t>(first + count))
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
