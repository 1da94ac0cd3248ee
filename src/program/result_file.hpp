#pragma once

/// Reads result files that anybody may have written: attributes, and data sets row by row. Everything throws FileError
/// with the file and the reason.

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
    bool is_virtual = false;      ///< it shows numbers of other data sets
    std::string unreadable = {};  ///< why its numbers are not read; empty: they can be
  };
  struct Content {
    std::vector<std::string> groups;  ///< by name
    std::vector<DataSet> data_sets;   ///< by name
    bool is_complete = true;          ///< false: there is more than can be listed
  };
  Content content() const;

  /// Calls `use` with the numbers of each row of a data set, in order; keeps only a part of it in memory.
  void for_each_row(const DataSet& set, const std::function<void(std::span<const double>)>& use) const;

 private:
  DataSet describe(const std::string& name) const;

  results::ForeignFile file_;
};

/// Goes through a result file in a process of its own: all objects and attributes, on request also all numbers. Throws
/// FileError if it is no result of Picus, or damaged so that reading it fails in whatever way.
void check_result_file(const std::filesystem::path& path, bool with_numbers = false);

}  // namespace picus::program
