#pragma once

/// Reads untrusted result files: attributes, and data sets row by row. All functions throw FileError with the file and
/// the reason.

#include "../results/foreign_file.hpp"
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
  /// Throws FileError for a file that is missing, not an HDF5 file or not a result of Picus.
  explicit ResultFile(const std::filesystem::path& path);

  /// Attributes of an object, in the order of creation, or by name if that is unknown; none if there is no such object.
  TextEntries attributes(const std::string& object) const;
  /// An attribute of an object, or `otherwise` if it is missing.
  std::string attribute(const std::string& object, const std::string& name,
                        const std::string& otherwise) const;

  struct DataSet {
    std::string name;  ///< path from the root, "/time"
    std::vector<std::int64_t> shape;
    std::string unit;
    std::string description;
    bool is_numeric = true;
    bool is_virtual = false;      ///< a view of other data sets
    std::string unreadable = {};  ///< why its numbers cannot be read; empty: they can
  };
  struct Content {
    std::vector<std::string> groups;  ///< sorted by name
    std::vector<DataSet> data_sets;   ///< sorted by name
    bool is_complete = true;          ///< false: there are more objects than can be listed
  };
  Content content() const;

  /// Calls `use` with the numbers of each row of a data set, in order; holds only a part of it in memory.
  void for_each_row(const DataSet& set, const std::function<void(std::span<const double>)>& use) const;

 private:
  DataSet describe(const std::string& name) const;

  results::ForeignFile file_;
};

/// Reads a result file in a separate process: all objects and attributes, optionally also all numbers. Throws FileError
/// if it is not a result of Picus, or so damaged that reading fails in any way.
void check_result_file(const std::filesystem::path& path, bool with_numbers = false);

}  // namespace picus::program
