#include <picus/sparse_matrix.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace picus {
namespace {

TEST(SparseMatrix, CompressesEntriesGivenInAnyOrderAndTwice) {
  PatternBuilder pattern(3);
  for (const auto& [r, c] : {std::pair{2, 0}, {0, 0}, {2, 0}, {1, 2}, {0, 2}, {0, 0}}) pattern.add(r, c);
  const SparseMatrix matrix = pattern.compress();
  EXPECT_EQ(matrix.size, 3);
  EXPECT_EQ(matrix.column_start, (std::vector<Index>{0, 2, 2, 4}));
  EXPECT_EQ(matrix.row, (std::vector<Index>{0, 2, 0, 1}));
  EXPECT_EQ(matrix.values, std::vector<double>(4, 0.0));
}

TEST(SparseMatrix, SharesPatternsWithCopiesAndByAPool) {
  const auto make = [](Index row) {
    PatternBuilder pattern(3);
    for (Index c = 0; c < 3; ++c) pattern.add(row, c);
    return pattern.compress();
  };
  SparseMatrix first = make(1), equal = make(1), other = make(2);
  const SparseMatrix copy = first;
  EXPECT_EQ(copy.row.data(), first.row.data());
  EXPECT_NE(equal.row.data(), first.row.data());
  EXPECT_EQ(equal.row, first.row);
  PatternPool pool;
  for (SparseMatrix* matrix : {&first, &equal, &other}) pool.share(*matrix);
  EXPECT_EQ(equal.row.data(), first.row.data());
  EXPECT_EQ(other.column_start.data(), first.column_start.data());
  EXPECT_NE(other.row, first.row);
  EXPECT_EQ(other.row, (IndexList{2, 2, 2}));
}

TEST(SparseMatrix, APoolForgetsListsThatNobodyUses) {
  PatternPool pool;
  IndexList kept{1, 2}, forgotten{3};
  pool.share(kept);
  pool.share(forgotten);
  EXPECT_FALSE(forgotten.is_unique());
  forgotten = IndexList{4};
  IndexList again{1, 2};
  pool.share(again);  // erases what only the pool holds
  EXPECT_EQ(again.data(), kept.data());
  const IndexList before = again;
  again = kept = IndexList{};
  IndexList next{5};
  pool.share(next);
  EXPECT_FALSE(before.is_unique());  // still known to the pool
}

TEST(SparseMatrix, FindsExactlyTheEntriesOfItsPattern) {
  constexpr Index size = 30;
  support::Random random(1);
  PatternBuilder pattern(size);
  std::set<std::pair<Index, Index>> added;
  for (int k = 0; k < 200; ++k) {
    const auto r = static_cast<Index>(random.uniform(0, size));
    const auto c = static_cast<Index>(random.uniform(0, size));
    pattern.add(r, c);
    added.emplace(r, c);
  }
  const SparseMatrix matrix = pattern.compress();
  EXPECT_EQ(matrix.row.size(), added.size());
  std::set<Index> places;
  for (Index c = 0; c < size; ++c) {
    for (Index r = 0; r < size; ++r) {
      const Index place = matrix.find(r, c);
      EXPECT_EQ(place >= 0, added.contains({r, c})) << r << ", " << c;
      if (place < 0) continue;
      EXPECT_EQ(matrix.row[place], r);
      EXPECT_TRUE(places.insert(place).second) << "two entries share a place";
    }
  }
}

TEST(SparseMatrix, CompressesRunsOfRowsInAnyOrder) {
  constexpr Index size = 40;
  support::Random random(2);
  PatternBuilder pattern(size);
  std::set<std::pair<Index, Index>> added;  // column, row
  for (int k = 0; k < 400; ++k) {
    const auto c = static_cast<Index>(random.uniform(0, size));
    const auto first = static_cast<Index>(random.uniform(0, size));
    const auto count = std::min<Index>(size - first, static_cast<Index>(random.uniform(1, 4)));
    pattern.add_run(first, count, c);
    for (Index r = first; r < first + count; ++r) added.emplace(c, r);
  }
  const SparseMatrix matrix = pattern.compress();
  std::set<std::pair<Index, Index>> compressed;
  for (Index c = 0; c < size; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k)
      compressed.emplace(c, matrix.row[k]);
  }
  EXPECT_EQ(compressed, added);
  EXPECT_EQ(matrix.row.size(), added.size());
}

TEST(SparseMatrix, MayBeEmpty) {
  const SparseMatrix none = PatternBuilder(0).compress();
  EXPECT_EQ(none.size, 0);
  EXPECT_EQ(none.column_start, std::vector<Index>{0});
  EXPECT_EQ(PatternBuilder(2).compress().find(1, 1), -1);
}

}  // namespace
}  // namespace picus
