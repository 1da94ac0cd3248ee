#pragma once

/// The result file of an earlier part of a run, from which records are copied when the run is resumed.

#include "columns.hpp"
#include "foreign_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace picus::results {

/// All failures throw FileError `cannot go on with file "x.h5": REASON`.
class RecordedRun {
 public:
  /// Opens it for reading.
  explicit RecordedRun(const std::filesystem::path& path);

  /// The number of rows of a column.
  std::int64_t rows(const Column& column) const;
  /// The first `rows` numbers of a time column.
  std::vector<double> times(const Column& column, std::int64_t rows) const;
  /// Reads the rows first, first + 1, ... of a data set, which must have the name, shape and number type of the column.
  void read_rows(const Column& column, std::int64_t first, std::int64_t count,
                 std::span<std::byte> bytes) const;

  [[noreturn]] void refuse(const std::string& reason) const { file_.refuse(reason); }

 private:
  Hdf5Handle open(const Column& column) const;

  ForeignFile file_;
  mutable std::set<std::string> checked_;  ///< names of data sets checked to be readable
};

}  // namespace picus::results
