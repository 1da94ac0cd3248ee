#pragma once

#include <picus/types.hpp>

#include <vector>

namespace picus {

/// A square sparse matrix, compressed by columns, row indices ascending in each column. The pattern is fixed for a run;
/// only values change.
struct SparseMatrix {
  Index size = 0;                   ///< number of rows and of columns
  std::vector<Index> column_start;  ///< size + 1 entries
  std::vector<Index> row;           ///< row index of each nonzero, ascending in each column
  std::vector<double> values;       ///< value of each nonzero

  /// Index of entry (r, c) in `values`, or -1 if it is not in the pattern.
  Index find(Index r, Index c) const;
};

/// Collects the positions of entries, duplicates allowed, and compresses them. The memory in use is at most twice that
/// of the result, however often an entry is added.
class PatternBuilder {
 public:
  /// An empty pattern, size x size.
  explicit PatternBuilder(Index size) : columns_(size) {}
  /// Adds the entry (r, c); duplicates are harmless.
  void add(Index r, Index c) { add_run(r, 1, c); }
  /// Adds the entries (r, c) to (r + count - 1, c).
  void add_run(Index r, Index count, Index c);
  /// The pattern with zero values.
  SparseMatrix compress();

 private:
  /// Rows [first, end) of a column.
  struct Run {
    Index first;
    Index end;
  };
  static void merge(std::vector<Run>& runs);

  std::vector<std::vector<Run>> columns_;
};

}  // namespace picus
