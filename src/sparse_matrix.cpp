#include <picus/sparse_matrix.hpp>

#include <algorithm>

namespace picus {

Index SparseMatrix::find(Index r, Index c) const {
  const auto begin = row.begin() + column_start[c];
  const auto end = row.begin() + column_start[c + 1];
  const auto found = std::lower_bound(begin, end, r);
  return found == end || *found != r ? -1 : index_of(row, found);
}

void PatternBuilder::add_run(Index r, Index count, Index c) {
  std::vector<Run>& runs = columns_[c];
  if (!runs.empty() && runs.back().end == r) {
    runs.back().end += count;
    return;
  }
  if (runs.size() == runs.capacity()) {
    merge(runs);
    runs.reserve(std::max<std::size_t>(8, 2 * runs.size()));
  }
  runs.push_back({r, r + count});
}

void PatternBuilder::merge(std::vector<Run>& runs) {
  if (runs.empty()) return;
  std::ranges::sort(runs, {}, &Run::first);
  std::size_t last = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].first <= runs[last].end) {
      runs[last].end = std::max(runs[last].end, runs[i].end);
    } else {
      runs[++last] = runs[i];
    }
  }
  runs.resize(last + 1);
}

SparseMatrix PatternBuilder::compress() {
  SparseMatrix matrix;
  matrix.size = count_of(columns_);
  matrix.column_start.reserve(columns_.size() + 1);
  matrix.column_start.push_back(0);
  Index count = 0;
  for (std::vector<Run>& column : columns_) {
    merge(column);
    for (const Run& run : column) count += run.end - run.first;
    matrix.column_start.push_back(count);
  }
  matrix.row.reserve(count);
  for (const std::vector<Run>& column : columns_) {
    for (const Run& run : column) {
      for (Index r = run.first; r < run.end; ++r) matrix.row.push_back(r);
    }
  }
  matrix.values.assign(matrix.row.size(), 0.0);
  return matrix;
}

}  // namespace picus
