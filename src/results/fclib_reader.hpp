#pragma once

/// Vectors, matrices and texts of an untrusted file in FCLIB's format: each is checked before use, and invalid data
/// throw FileError `cannot read file "x.hdf5": REASON` that names the data set.
///
/// A matrix is a group of m, n (rows, columns), nz and three arrays p, i, x. With nz = -1 it is compressed by columns
/// (p: column starts, i: row indices), with nz = -2 by rows, and otherwise p and i are the columns and rows of nz
/// entries.

#include "foreign_file.hpp"
#include <picus/types.hpp>

#include <Eigen/SparseCore>

#include <filesystem>
#include <string>
#include <vector>

namespace picus::results {

/// A matrix of any shape, compressed by columns.
using SparseColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

class FclibReader {
 public:
  /// Opens the file.
  explicit FclibReader(const std::filesystem::path& path);

  /// Whether a group or a data set exists at this path from the root.
  bool has(const std::string& name) const { return static_cast<bool>(file_.open(name)); }
  /// Whether values of a data set have been written.
  bool has_values(const std::string& name) const;
  /// Reads a data set with a single integer.
  Index integer(const std::string& name) const;
  /// Reads a data set of `size` finite numbers.
  Vector vector(const std::string& name, Index size) const;
  /// Reads a data set of finite numbers of any length.
  Vector vector(const std::string& name) const;
  /// Reads a matrix of finite numbers; duplicate entries are summed.
  SparseColumns matrix(const std::string& name, Index rows, Index columns) const;
  /// Reads a text of fixed length; empty if there is none.
  std::string text(const std::string& name) const;

  [[noreturn]] void refuse(const std::string& reason) const { file_.refuse(reason); }

 private:
  /// Opens a data set that can be read safely; sets its number of values.
  Hdf5Handle open(const std::string& name, std::size_t& count) const;
  Hdf5Handle open(const std::string& name, std::size_t count, const char* what) const;
  std::vector<Index> integers(const std::string& name, std::size_t count) const;
  std::vector<Index> integers(const std::string& name) const;
  void read(const Hdf5Handle& set, const std::string& name, Hdf5Handle::Id type, void* values) const;

  ForeignFile file_;
};

}  // namespace picus::results
