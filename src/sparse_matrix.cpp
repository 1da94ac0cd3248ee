#include <picus/sparse_matrix.hpp>

#include <algorithm>

namespace picus {

bool IndexList::operator==(const IndexList& other) const {
  return owner_ == other.owner_ || std::ranges::equal(*this, other);
}

Index SparseMatrix::find(Index r, Index c) const {
  const Index* const end = row.begin() + column_start[c + 1];
  const Index* const found = std::lower_bound(row.begin() + column_start[c], end, r);
  return found == end || *found != r ? -1 : index_of(row, found);
}

void PatternPool::share(IndexList& list) {
  std::erase_if(lists_, [](const IndexList& known) { return known.is_unique(); });
  const auto known = std::ranges::find(lists_, list);
  if (known == lists_.end()) {
    lists_.push_back(list);
  } else {
    list = *known;
  }
}

void PatternPool::share(SparseMatrix& matrix) {
  share(matrix.column_start);
  share(matrix.row);
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
  std::vector<Index> starts{0};
  starts.reserve(columns_.size() + 1);
  Index count = 0;
  for (std::vector<Run>& column : columns_) {
    merge(column);
    for (const Run& run : column) count += run.end - run.first;
    starts.push_back(count);
  }
  std::vector<Index> rows;
  rows.reserve(count);
  for (const std::vector<Run>& column : columns_) {
    for (const Run& run : column) {
      for (Index r = run.first; r < run.end; ++r) rows.push_back(r);
    }
  }
  matrix.column_start = std::move(starts);
  matrix.row = std::move(rows);
  matrix.values.assign(count, 0.0);
  return matrix;
}

}  // namespace picus
