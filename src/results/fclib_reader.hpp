#pragma once

/// Vectors, matrices and texts of a file in FCLIB's format that anybody may have written: each is checked before it is used, and what
/// does not fit ends in a FileError `cannot read file "x.hdf5": REASON` that names the data set.
///
/// A matrix is a group of m, n (rows, columns), nz and three lists p, i, x. With nz = -1 it is compressed by columns (p: where they
/// begin, i: row numbers), with nz = -2 by rows, and otherwise p and i are the columns and rows of nz entries.

#include "foreign_file.hpp"
#include <picus/types.hpp>

#include <Eigen/SparseCore>

#include <filesystem>
#include <string>
#include <vector>

namespace picus::results {

/// A matrix of any shape, by columns.
using SparseColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

class FclibReader {
 public:
  /// Opens it.
  explicit FclibReader(const std::filesystem::path& path);

  /// Whether there is a group or a data set at this path from the root.
  bool has(const std::string& name) const { return static_cast<bool>(file_.open(name)); }
  /// Whether values of a data set have ever been written.
  bool has_values(const std::string& name) const;
  /// A data set of a single integer.
  Index integer(const std::string& name) const;
  /// A data set of `size` finite numbers.
  Vector vector(const std::string& name, Index size) const;
  /// A data set of finite numbers, as many as it has.
  Vector vector(const std::string& name) const;
  /// A matrix of finite numbers; entries that stand there more than once are added.
  SparseColumns matrix(const std::string& name, Index rows, Index columns) const;
  /// A remark of a text of fixed length; empty if there is none.
  std::string text(const std::string& name) const;

  [[noreturn]] void refuse(const std::string& reason) const { file_.refuse(reason); }

 private:
  /// A data set that may be read, and its number of values.
  Hdf5Handle open(const std::string& name, std::size_t& count) const;
  Hdf5Handle open(const std::string& name, std::size_t count, const char* what) const;
  std::vector<Index> integers(const std::string& name, std::size_t count) const;
  std::vector<Index> integers(const std::string& name) const;
  void read(const Hdf5Handle& set, const std::string& name, Hdf5Handle::Id type, void* values) const;

  ForeignFile file_;
};

}  // namespace picus::results
