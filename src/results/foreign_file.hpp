#pragma once

/// An HDF5 file that anybody may have written, open for reading. Whatever it says is looked at before it is believed,
/// and nothing outside the file is ever read: links to other files, soft links, external storage and virtual data sets
/// of other files are not followed.

#include "attributes.hpp"
#include "hdf5_handle.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace picus::results {

class ForeignFile {
 public:
  /// `message` is the format of its messages, with {} for the path and then for the reason. Throws FileError for a file
  /// that is missing, no regular file, no HDF5 file or of a newer format of Picus.
  ForeignFile(std::filesystem::path path, std::string message);

  const std::filesystem::path& path() const { return path_; }
  /// Throws the FileError; the reason is made printable.
  [[noreturn]] void refuse(const std::string& reason) const;

  /// The object at a path from the root, with or without a leading slash, "" the root; no object if there is
  /// none or a link other than a hard one stands on the way.
  Hdf5Handle open(const std::string& object) const;

  /// Names of its attributes, in the order of their creation or else by name; the first thousand.
  std::vector<std::string> attribute_names(const std::string& object) const;

  struct Objects {
    std::vector<std::string> groups;     ///< paths from the root, "/energy", by name
    std::vector<std::string> data_sets;  ///< likewise
    bool is_complete = true;             ///< false: there are more, or they are nested deeper
  };
  /// All objects that hard links lead to, each once.
  Objects objects() const;

  struct DataSet {
    std::vector<std::int64_t> shape;  ///< empty: one number, or unknown
    bool is_numeric = false;
    bool is_virtual = false;      ///< it shows numbers of other data sets
    std::string unreadable = {};  ///< why its numbers must not be read; empty: they may
  };
  /// Of a data set that is open.
  DataSet describe(const Hdf5Handle& set) const;

 private:
  std::string why_not_to_be_read(const Hdf5Handle& set, bool is_source) const;
  std::string why_virtual_not_to_be_read(Hdf5Handle::Id creation) const;

  std::filesystem::path path_;
  std::string message_;
  double bytes_ = 0.0;
  QuietHdf5 quiet_;
  Hdf5Handle file_;
};

}  // namespace picus::results
