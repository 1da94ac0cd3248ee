#include "fclib_reader.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

namespace picus::results {
namespace {

constexpr std::size_t most_values = 100'000'000;
constexpr std::size_t longest_remark = 1 << 20;
constexpr Index by_columns = -1;
constexpr Index by_rows = -2;

}  // namespace

FclibReader::FclibReader(const std::filesystem::path& path) : file_(path, "cannot read file \"{}\": {}") {}

bool FclibReader::has_values(const std::string& name) const {
  const Hdf5Handle set = file_.open(name);
  return set && H5Iget_type(set.id()) == H5I_DATASET && H5Dget_storage_size(set.id()) > 0;
}

Hdf5Handle FclibReader::open(const std::string& name, std::size_t& count) const {
  Hdf5Handle set = file_.open(name);
  if (!set || H5Iget_type(set.id()) != H5I_DATASET) refuse(fmt::format("it has no data set {}", name));
  const ForeignFile::DataSet about = file_.describe(set);
  if (!about.unreadable.empty()) refuse(fmt::format("of its data set {}: {}", name, about.unreadable));
  if (!about.is_numeric) refuse(fmt::format("its data set {} has no numbers", name));
  // A readable data set has no more values than the file can hold.
  count = 1;
  for (const std::int64_t length : about.shape) count *= static_cast<std::size_t>(length);
  if (count > most_values) refuse(fmt::format("its data set {} is too long", name));
  return set;
}

Hdf5Handle FclibReader::open(const std::string& name, std::size_t count, const char* what) const {
  std::size_t found = 0;
  Hdf5Handle set = open(name, found);
  if (found != count) refuse(fmt::format("its data set {} has {} {}, not {}", name, found, what, count));
  return set;
}

void FclibReader::read(const Hdf5Handle& set, const std::string& name, Hdf5Handle::Id type,
                       void* values) const {
  if (H5Dread(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    refuse(fmt::format("its data set {} is damaged", name));
}

std::vector<Index> FclibReader::integers(const std::string& name, std::size_t count) const {
  const Hdf5Handle set = open(name, count, "integers");
  std::vector<Index> values(count);
  if (count > 0) read(set, name, H5T_NATIVE_INT32, values.data());
  return values;
}

std::vector<Index> FclibReader::integers(const std::string& name) const {
  std::size_t count = 0;
  open(name, count);
  return integers(name, count);
}

Index FclibReader::integer(const std::string& name) const {
  return integers(name, 1).front();
}

Vector FclibReader::vector(const std::string& name, Index size) const {
  const Hdf5Handle set = open(name, size, "numbers");
  Vector values(size);
  if (size > 0) read(set, name, H5T_NATIVE_DOUBLE, values.data());
  if (!values.allFinite()) refuse(fmt::format("its data set {} has values that are not finite", name));
  return values;
}

Vector FclibReader::vector(const std::string& name) const {
  std::size_t count = 0;
  open(name, count);
  return vector(name, static_cast<Index>(count));
}

SparseColumns FclibReader::matrix(const std::string& name, Index rows, Index columns) const {
  if (!has(name)) refuse(fmt::format("it has no matrix {}", name));
  const Index m = integer(name + "/m");
  const Index n = integer(name + "/n");
  if (m != rows || n != columns)
    refuse(fmt::format("its matrix {} has {} rows and {} columns, not {} and {}", name, m, n, rows, columns));
  const Index nz = integer(name + "/nz");
  if (nz < by_rows) refuse(fmt::format("its matrix {} is stored in an unknown way: nz is {}", name, nz));
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto take = [&](Index row, Index column, double value) {
    if (row < 0 || row >= rows || column < 0 || column >= columns)
      refuse(fmt::format("its matrix {} has an entry in row {} and column {}", name, row, column));
    entries.emplace_back(row, column, value);
  };
  const Index lines = nz == by_columns ? columns : rows;
  const std::vector<Index> start = integers(name + "/p", nz >= 0 ? nz : lines + 1);
  const std::vector<Index> other = integers(name + "/i");
  const Vector x = vector(name + "/x");
  if (nz < 0 && (start.front() != 0 || !std::ranges::is_sorted(start)))
    refuse(fmt::format("its data set {}/p does not ascend from 0", name));
  // Arrays may be larger than the number of entries.
  const Index count = nz >= 0 ? nz : start.back();
  if (count_of(other) < count || count_of(x) < count)
    refuse(fmt::format("its matrix {} has {} entries, but {} places and {} values", name, count, other.size(),
                       x.size()));
  if (nz >= 0) {
    for (Index k = 0; k < count; ++k) take(other[k], start[k], x[k]);
  } else {
    for (Index line = 0; line < lines; ++line) {
      for (Index k = start[line]; k < start[line + 1]; ++k) {
        if (nz == by_columns)
          take(other[k], line, x[k]);
        else
          take(line, other[k], x[k]);
      }
    }
  }
  SparseColumns matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::string FclibReader::text(const std::string& name) const {
  const Hdf5Handle set = file_.open(name);
  if (!set || H5Iget_type(set.id()) != H5I_DATASET || !file_.describe(set).unreadable.empty()) return "";
  const Hdf5Handle type(H5Dget_type(set.id()));
  const Hdf5Handle space(H5Dget_space(set.id()));
  const std::size_t length = H5Tget_size(type.id());
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
      H5Sget_simple_extent_npoints(space.id()) != 1 || length > longest_remark)
    return "";
  std::string text(length, '\0');
  read(set, name, type.id(), text.data());
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace picus::results
