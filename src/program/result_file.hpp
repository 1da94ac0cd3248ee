#pragma once

/// Reads result files: attributes, and data sets row by row. Everything throws FileError with the file and
/// the reason.

#include "../results/hdf5_handle.hpp"
#include <picus/time_integrator.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace picus::program {

class ResultFile {
 public:
  /// Throws FileError for a file that is missing, no HDF5 file or no result of Picus.
  explicit ResultFile(const std::filesystem::path& path);

  /// Attributes of an object, in the order of their creation or else of their names; none if there is no such
  /// object.
  TextEntries attributes(const std::string& object) const;
  /// One of them, or `otherwise` if it is missing.
  std::string attribute(const std::string& object, const std::string& name,
                        const std::string& otherwise) const;

  struct DataSet {
    std::string name;  ///< path from the root, "/time"
    std::vector<std::int64_t> shape;
    std::string unit;
    std::string description;
    bool is_numeric = true;
  };
  /// All data sets, by name.
  std::vector<DataSet> data_sets() const;

  /// Calls `use` with the numbers of each row of a data set, in order; keeps only a part of it in memory.
  void for_each_row(const DataSet& set, const std::function<void(std::span<const double>)>& use) const;

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  results::Hdf5Handle check(std::int64_t id) const;

  std::filesystem::path path_;
  results::QuietHdf5 quiet_;
  results::Hdf5Handle file_;
};

}  // namespace picus::program
