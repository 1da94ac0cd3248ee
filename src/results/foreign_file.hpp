#pragma once

/// An untrusted HDF5 file, open for reading. All of its content is checked before use, and nothing outside the file is
/// ever read: external links, soft links, external storage and virtual data sets of other files are not followed.

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
  /// that is missing, not a regular file, not an HDF5 file or of a newer format of Picus.
  ForeignFile(std::filesystem::path path, std::string message);

  const std::filesystem::path& path() const { return path_; }
  /// Throws FileError; the reason is made printable.
  [[noreturn]] void refuse(const std::string& reason) const;

  /// Opens the object at a path from the root, with or without a leading slash, "" is the root; returns no object if
  /// there is none or the path contains a link other than a hard link.
  Hdf5Handle open(const std::string& object) const;

  /// Names of its attributes, in the order of creation, or by name if that is unknown; at most the first thousand. Throws
  /// FileError if they are damaged.
  std::vector<std::string> attribute_names(const std::string& object) const;

  struct Objects {
    std::vector<std::string> groups;     ///< paths from the root, "/energy", sorted by name
    std::vector<std::string> data_sets;  ///< likewise
    bool is_complete = true;             ///< false: there are more or deeper nested objects
  };
  /// All objects reachable by hard links, each once. Throws FileError for a damaged object or group.
  Objects objects() const;

  struct DataSet {
    std::vector<std::int64_t> shape;  ///< empty: a scalar, or unknown
    bool is_numeric = false;
    bool is_virtual = false;      ///< a view of other data sets
    std::string unreadable = {};  ///< why its numbers must not be read; empty: they may
  };
  /// Describes an open data set.
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
