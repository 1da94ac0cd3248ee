#pragma once

#include <picus/types.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace picus {

/// A constant list of indices, which copies share.
class IndexList {
 public:
  /// An empty list.
  IndexList() = default;
  /// Takes over the entries.
  IndexList(std::vector<Index> list)
      : owner_(std::make_shared<const std::vector<Index>>(std::move(list))),
        data_(owner_->data()),
        size_(owner_->size()) {}
  /// A list of these entries.
  IndexList(std::initializer_list<Index> list) : IndexList(std::vector<Index>(list)) {}

  /// Number of entries.
  std::size_t size() const { return size_; }
  /// Whether there are no entries.
  bool empty() const { return size_ == 0; }
  /// The entries.
  const Index* data() const { return data_; }
  /// The first entry.
  const Index* begin() const { return data_; }
  /// The place after the last entry.
  const Index* end() const { return data_ + size_; }
  /// Entry i, which must exist.
  Index operator[](std::size_t i) const { return data_[i]; }
  /// The last entry, which must exist.
  Index back() const { return data_[size_ - 1]; }
  /// Whether this is the only copy.
  bool is_unique() const { return owner_.use_count() == 1; }
  /// Whether the entries are the same.
  bool operator==(const IndexList& other) const;

 private:
  std::shared_ptr<const std::vector<Index>> owner_;
  const Index* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A square sparse matrix, compressed by columns, row indices ascending in each column. The pattern is fixed for a run,
/// and shared by copies; only values change.
struct SparseMatrix {
  Index size = 0;              ///< number of rows and of columns
  IndexList column_start;      ///< size + 1 entries
  IndexList row;               ///< row index of each nonzero, ascending in each column
  std::vector<double> values;  ///< value of each nonzero

  /// Index of entry (r, c) in `values`, or -1 if it is not in the pattern.
  Index find(Index r, Index c) const;
};

/// Lists of several matrices, of which equal ones are stored once.
class PatternPool {
 public:
  /// Replaces the list by an equal one of an earlier call if one is still in use.
  void share(IndexList& list);
  /// The same for both lists of a pattern.
  void share(SparseMatrix& matrix);

 private:
  std::vector<IndexList> lists_;
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
