#pragma once

#include <picus/types.hpp>

#include <vector>

namespace picus {

/// A sparse matrix as a list of entries; those in the same place add up.
struct MatrixEntries {
  Index rows = 0;     ///< number of rows
  Index columns = 0;  ///< number of columns
  /// A row, a column (from 0) and the value there.
  struct Entry {
    Index row;     ///< from 0
    Index column;  ///< from 0
    double value;  ///< in the unit of the matrix
  };
  std::vector<Entry> entries = {};  ///< of a symmetric matrix both triangles
};

}  // namespace picus
