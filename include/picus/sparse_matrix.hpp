#pragma once

#include <picus/types.hpp>

#include <vector>

namespace picus {

/// A square sparse matrix, compressed by columns, row numbers ascending in each column. The pattern is fixed
/// for a run; only values change.
struct SparseMatrix {
  Index size = 0;                   ///< rows, and columns
  std::vector<Index> column_start;  ///< size + 1 entries
  std::vector<Index> row;           ///< of each nonzero, ascending in each column
  std::vector<double> values;       ///< of each nonzero

  /// Where entry (r, c) is in `values`, or -1 when it is not in the pattern.
  Index find(Index r, Index c) const;
};

/// Collects the places of entries, duplicates allowed, and compresses them.
class PatternBuilder {
 public:
  /// An empty pattern, size x size.
  explicit PatternBuilder(Index size) : columns_(size) {}
  /// Adds the entry (r, c); twice is harmless.
  void add(Index r, Index c) { columns_[c].push_back(r); }
  /// The pattern with zero values.
  SparseMatrix compress();

 private:
  std::vector<std::vector<Index>> columns_;
};

}  // namespace picus
