#pragma once

/// Disjoint sets of numbers (union-find).

#include <picus/types.hpp>

#include <numeric>
#include <vector>

namespace picus::solvers {

class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(Index count) { reset(count); }

  /// Makes each of 0 to count - 1 a set.
  void reset(Index count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  /// The smallest number of the set that contains i.
  Index find(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    parent_[a < b ? b : a] = a < b ? a : b;
  }

 private:
  std::vector<Index> parent_;
};

}  // namespace picus::solvers
