#include <picus/sparse_matrix.hpp>

#include <algorithm>

namespace picus {

Index SparseMatrix::find(Index r, Index c) const {
  const auto begin = row.begin() + column_start[c];
  const auto end = row.begin() + column_start[c + 1];
  const auto found = std::lower_bound(begin, end, r);
  return found == end || *found != r ? -1 : static_cast<Index>(found - row.begin());
}

SparseMatrix PatternBuilder::compress() {
  SparseMatrix matrix;
  matrix.size = count_of(columns_);
  matrix.column_start.push_back(0);
  for (std::vector<Index>& column : columns_) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    matrix.row.insert(matrix.row.end(), column.begin(), column.end());
    matrix.column_start.push_back(count_of(matrix.row));
  }
  matrix.values.assign(matrix.row.size(), 0.0);
  return matrix;
}

}  // namespace picus
