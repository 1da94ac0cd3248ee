#include "hdf5_file.hpp"

#include "hdf5_driver.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace picus::results {
namespace {

/// UTF-8 text of `size` bytes, or of any length for H5T_VARIABLE.
hid_t make_text_type(std::size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  H5Tset_cset(type, H5T_CSET_UTF8);
  if (size != H5T_VARIABLE) H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

}  // namespace

Hdf5Handle::Id native_type(Number number) {
  switch (number) {
    case Number::float64:
      return H5T_NATIVE_DOUBLE;
    case Number::float32:
      return H5T_NATIVE_FLOAT;
    case Number::int64:
      return H5T_NATIVE_INT64;
    case Number::int32:
      return H5T_NATIVE_INT32;
    case Number::uint8:
      break;
  }
  return H5T_NATIVE_UINT8;
}

Hdf5File::Hdf5File(const std::filesystem::path& path, bool overwrite) : bytes_(path, overwrite) {
  const Hdf5Handle access = make_file_access(bytes_);
  file_ = check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()));
  link_creation_ = check(H5Pcreate(H5P_LINK_CREATE));
  check_done(H5Pset_create_intermediate_group(link_creation_.id(), 1));
  check_done(H5Pset_char_encoding(link_creation_.id(), H5T_CSET_UTF8));
}

Hdf5File::~Hdf5File() = default;

void Hdf5File::fail() const {
  bytes_.fail(hdf5_error());
}

Hdf5Handle Hdf5File::check(Hdf5Handle::Id id) const {
  if (id < 0) fail();
  return Hdf5Handle(id);
}

void Hdf5File::check_done(int result) const {
  if (result < 0 || bytes_.has_failed()) fail();
}

Hdf5Handle Hdf5File::open_object(const std::string& object) const {
  return check(H5Oopen(file_.id(), object.empty() ? "/" : object.c_str(), H5P_DEFAULT));
}

void Hdf5File::make_group(const std::string& name) {
  check(H5Gcreate2(file_.id(), name.c_str(), link_creation_.id(), H5P_DEFAULT, H5P_DEFAULT));
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, Hdf5Handle::Id type,
                               const void* value, std::size_t count) {
  const Hdf5Handle owner = open_object(object);
  if (H5Aexists(owner.id(), name.c_str()) > 0) check_done(H5Adelete(owner.id(), name.c_str()));
  const hsize_t size = count;
  const Hdf5Handle space = check(count > 0 ? H5Screate_simple(1, &size, nullptr) : H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute =
      check(H5Acreate2(owner.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT));
  check_done(H5Awrite(attribute.id(), type, value));
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Hdf5Handle type = check(make_text_type(H5T_VARIABLE));
  const char* const characters = text.c_str();
  write_attribute(object, name, type.id(), &characters);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  write_attribute(object, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name,
                             std::array<std::int64_t, 2> values) {
  write_attribute(object, name, H5T_NATIVE_INT64, values.data(), values.size());
}

void Hdf5File::set_ascii_attribute(const std::string& object, const std::string& name,
                                   const std::string& text) {
  const Hdf5Handle type = check(H5Tcopy(H5T_C_S1));
  check_done(H5Tset_size(type.id(), text.size()));
  check_done(H5Tset_strpad(type.id(), H5T_STR_NULLPAD));
  write_attribute(object, name, type.id(), text.data());
}

void Hdf5File::write_table(const std::string& name, const TextTable& table) {
  const std::size_t columns = table.titles.size();
  std::vector<std::size_t> width(columns, 1);
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::size_t row_size = 0;
  for (const std::size_t w : width) row_size += w;
  const Hdf5Handle type = check(H5Tcreate(H5T_COMPOUND, row_size));
  std::vector<char> data(row_size * table.rows.size(), '\0');
  std::size_t offset = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const Hdf5Handle text = check(make_text_type(width[c]));
    check_done(H5Tinsert(type.id(), table.titles[c].c_str(), offset, text.id()));
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      std::copy(table.rows[r][c].begin(), table.rows[r][c].end(),
                data.begin() + static_cast<std::ptrdiff_t>(r * row_size + offset));
    }
    offset += width[c];
  }
  const hsize_t count = table.rows.size();
  const Hdf5Handle space = check(H5Screate_simple(1, &count, nullptr));
  const Hdf5Handle set = check(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(),
                                          link_creation_.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (count > 0) check_done(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()));
}

void Hdf5File::write_text(const std::string& name, const std::string& text) {
  const Hdf5Handle type = check(H5Tcopy(H5T_C_S1));
  check_done(H5Tset_size(type.id(), text.size() + 1));
  const Hdf5Handle space = check(H5Screate(H5S_SCALAR));
  const Hdf5Handle set = check(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(),
                                          link_creation_.id(), H5P_DEFAULT, H5P_DEFAULT));
  check_done(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
}

void Hdf5File::write_array(const std::string& name, Number number, const void* values, std::size_t count,
                           std::size_t width) {
  const std::array<hsize_t, 2> size = {count / width, width};
  const Hdf5Handle space = check(H5Screate_simple(width > 1 ? 2 : 1, size.data(), nullptr));
  const Hdf5Handle set = check(H5Dcreate2(file_.id(), name.c_str(), native_type(number), space.id(),
                                          link_creation_.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (count > 0) check_done(H5Dwrite(set.id(), native_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void Hdf5File::link(const std::string& name, const std::string& target) {
  check_done(H5Lcreate_soft(target.c_str(), file_.id(), name.c_str(), link_creation_.id(), H5P_DEFAULT));
}

void Hdf5File::make_view(const std::string& name, const std::string& source, const View& view) {
  const int rank = view.size > 1 ? 2 : 1;
  const std::array<hsize_t, 2> empty = {0, static_cast<hsize_t>(view.size)};
  const std::array<hsize_t, 2> largest = {H5S_UNLIMITED, empty[1]};
  const std::array<hsize_t, 2> count = {H5S_UNLIMITED, 1};
  const std::array<hsize_t, 2> block = {static_cast<hsize_t>(view.rows), empty[1]};
  const auto every = [&](std::int32_t first, std::int32_t period) {
    Hdf5Handle space = check(H5Screate_simple(rank, empty.data(), largest.data()));
    const std::array<hsize_t, 2> start = {static_cast<hsize_t>(first), 0};
    const std::array<hsize_t, 2> stride = {static_cast<hsize_t>(period), empty[1]};
    check_done(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), stride.data(), count.data(),
                                   block.data()));
    return space;
  };
  const Hdf5Handle seen = every(view.first, view.period);
  const Hdf5Handle shown = every(0, view.rows);
  const Hdf5Handle creation = check(H5Pcreate(H5P_DATASET_CREATE));
  constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
  check_done(H5Pset_fill_value(creation.id(), H5T_NATIVE_FLOAT, &nothing));
  check_done(H5Pset_virtual(creation.id(), seen.id(), ".", ('/' + source).c_str(), shown.id()));
  const Hdf5Handle space = check(H5Screate_simple(rank, empty.data(), largest.data()));
  check(H5Dcreate2(file_.id(), name.c_str(), H5T_NATIVE_FLOAT, space.id(), link_creation_.id(), creation.id(),
                   H5P_DEFAULT));
}

Hdf5Handle Hdf5File::make_growing(const std::string& name, Number number, std::span<const std::int32_t> shape,
                                  std::int64_t chunk_rows, int level) {
  std::vector<hsize_t> size = {0};
  for (const std::int32_t length : shape) size.push_back(static_cast<hsize_t>(length));
  std::vector<hsize_t> largest = size;
  largest[0] = H5S_UNLIMITED;
  std::vector<hsize_t> chunk = size;
  chunk[0] = static_cast<hsize_t>(chunk_rows);
  const int rank = static_cast<int>(size.size());

  const Hdf5Handle space = check(H5Screate_simple(rank, size.data(), largest.data()));
  const Hdf5Handle creation = check(H5Pcreate(H5P_DATASET_CREATE));
  check_done(H5Pset_chunk(creation.id(), rank, chunk.data()));
  check_done(H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER));
  check_done(H5Pset_obj_track_times(creation.id(), false));
  if (level > 0) {
    check_done(H5Pset_shuffle(creation.id()));
    check_done(H5Pset_deflate(creation.id(), static_cast<unsigned>(level)));
  }
  const Hdf5Handle access = check(H5Pcreate(H5P_DATASET_ACCESS));
  check_done(H5Pset_chunk_cache(access.id(), 1, 0, 1.0));  // only whole chunks are written
  return check(H5Dcreate2(file_.id(), name.c_str(), native_type(number), space.id(), link_creation_.id(),
                          creation.id(), access.id()));
}

void Hdf5File::update_last(const std::string& object, const std::string& name, std::int64_t value) {
  const Hdf5Handle owner = open_object(object);
  {
    const Hdf5Handle attribute = check(H5Aopen(owner.id(), name.c_str(), H5P_DEFAULT));
    check_done(H5Awrite(attribute.id(), H5T_NATIVE_INT64, &value));
  }
  bytes_.set_comes_last(true);
  const int result = H5Gflush(owner.id());
  bytes_.set_comes_last(false);
  check_done(result);
}

void Hdf5File::make_last(const Hdf5Handle& set) {
  bytes_.set_comes_last(true);
  const int result = H5Dflush(set.id());  // writes only the metadata of this data set
  bytes_.set_comes_last(false);
  check_done(result);
}

void Hdf5File::commit() {
  check_done(H5Fflush(file_.id(), H5F_SCOPE_LOCAL));
  bytes_.commit();
}

void Hdf5File::close() {
  if (!file_) return;
  link_creation_.release();
  if (!file_.release()) fail();
  bytes_.commit();
}

}  // namespace picus::results
