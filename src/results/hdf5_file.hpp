#pragma once

/// An HDF5 file that is being written: attributes, small tables, and data sets that grow by rows. Everything
/// throws FileError with the file and the reason.

#include "committed_file.hpp"
#include "hdf5_handle.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace picus::results {

/// The kinds of number that a result holds.
enum class Number : std::uint8_t { float64, float32, int32, uint8 };

constexpr std::size_t size_of(Number number) {
  return number == Number::float64 ? 8 : number == Number::uint8 ? 1 : 4;
}

/// HDF5's type of such numbers in memory.
Hdf5Handle::Id native_type(Number number);

/// A table of texts with a title over each column.
struct TextTable {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
};

/// Names of objects are paths from the root without a leading slash; "" is the root itself. Groups on the way
/// to an object are made with it.
class Hdf5File {
 public:
  Hdf5File(const std::filesystem::path& path, bool overwrite);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void make_group(const std::string& name);
  /// Replaces an attribute of that name.
  void set_attribute(const std::string& object, const std::string& name, const std::string& text);
  void set_attribute(const std::string& object, const std::string& name, double value);
  void set_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void write_table(const std::string& name, const TextTable& table);
  void write_integers(const std::string& name, std::span<const std::int32_t> values);

  /// An empty data set of rows of `shape` (empty: one number a row), in chunks of `chunk_rows`. With a level
  /// above 0 chunks may be shuffled and deflated.
  Hdf5Handle make_growing(const std::string& name, Number number, std::span<const std::int32_t> shape,
                          std::int64_t chunk_rows, int level);
  /// From now on the extent of this data set on disk is the last thing that a commit changes.
  void make_last(const Hdf5Handle& set);
  /// Brings the file on disk to what was written so far.
  void commit();
  /// Closes all data sets and the file.
  void close();

  [[noreturn]] void fail() const;

 private:
  Hdf5Handle open_object(const std::string& object) const;
  void write_attribute(const std::string& object, const std::string& name, Hdf5Handle::Id type,
                       const void* value);
  Hdf5Handle check(Hdf5Handle::Id id) const;
  void check_done(int result) const;

  CommittedFile bytes_;  ///< outlives file_
  Hdf5Handle file_;
  Hdf5Handle link_creation_;
};

}  // namespace picus::results
