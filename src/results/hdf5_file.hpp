#pragma once

/// An HDF5 file that is being written: attributes, small tables, and data sets that grow by rows. All functions throw
/// FileError with the file and the reason.

#include "../committed_file.hpp"
#include "hdf5_handle.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace picus::results {

/// The number types in results.
enum class Number : std::uint8_t { float64, float32, int64, int32, uint8 };

constexpr std::size_t size_of(Number number) {
  const bool is_long = number == Number::float64 || number == Number::int64;
  return is_long ? 8 : number == Number::uint8 ? 1 : 4;
}

template <class T>
constexpr Number number_of() {
  if constexpr (std::is_same_v<T, double>)
    return Number::float64;
  else if constexpr (std::is_same_v<T, float>)
    return Number::float32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return Number::int64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return Number::int32;
  else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return Number::uint8;
  }
}

/// The corresponding HDF5 type in memory.
Hdf5Handle::Id native_type(Number number);

/// A table of texts with column titles.
struct TextTable {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
};

/// Names of objects are paths from the root without a leading slash; "" is the root itself. Parent groups of an object
/// are created with it.
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
  void set_attribute(const std::string& object, const std::string& name, std::array<std::int64_t, 2> values);
  /// A text of fixed length in ASCII, as required by some programs.
  void set_ascii_attribute(const std::string& object, const std::string& name, const std::string& text);
  void write_table(const std::string& name, const TextTable& table);
  /// A text of fixed length as a data set, as used by FCLIB for descriptions.
  void write_text(const std::string& name, const std::string& text);
  /// An array of double, float, std::int64_t, std::int32_t or std::uint8_t, in rows of `width` if this is above 1.
  template <class T>
  void write_array(const std::string& name, std::span<const T> values, std::size_t width = 1) {
    write_array(name, number_of<T>(), values.data(), values.size(), width);
  }
  /// Creates a soft link to the path `target`.
  void link(const std::string& name, const std::string& target);

  /// Creates an empty data set with rows of `shape` (empty: one number per row), in chunks of `chunk_rows`. With a
  /// level above 0 chunks may be shuffled and deflated.
  Hdf5Handle make_growing(const std::string& name, Number number, std::span<const std::int32_t> shape,
                          std::int64_t chunk_rows, int level);
  /// A virtual data set of float32 that is a view of `source`: in each group of `period` rows those from `first` on are
  /// the next `rows` rows of the source, all others NaN. It grows with the source.
  struct View {
    std::int32_t size = 1;  ///< numbers in a row
    std::int32_t rows = 1, first = 0, period = 1;
  };
  void make_view(const std::string& name, const std::string& source, const View& view);
  /// Replaces the value of an integer attribute, which will be changed last in the next commit.
  void update_last(const std::string& object, const std::string& name, std::int64_t value);
  /// Makes the extent of this data set on disk the last change of each commit.
  void make_last(const Hdf5Handle& set);
  /// Updates the file on disk to everything written so far.
  void commit();
  /// Closes all data sets and the file.
  void close();

  [[noreturn]] void fail() const;

 private:
  Hdf5Handle open_object(const std::string& object) const;
  void write_attribute(const std::string& object, const std::string& name, Hdf5Handle::Id type,
                       const void* value, std::size_t count = 0);
  void write_array(const std::string& name, Number number, const void* values, std::size_t count,
                   std::size_t width);
  Hdf5Handle check(Hdf5Handle::Id id) const;
  void check_done(int result) const;

  CommittedFile bytes_;  ///< outlives file_
  Hdf5Handle file_;
  Hdf5Handle link_creation_;
};

}  // namespace picus::results
