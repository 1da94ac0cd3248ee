#pragma once

/// Sparse elimination by blocks: the rows of a contact are eliminated together, with pivots only within its diagonal
/// block, in an order by minimum degree that is found once for a pattern. General sparse solvers treat single entries,
/// and take five to ten times as long for the matrices of heaps, whose factors have few blocks.

#include <picus/solvers/contact/block_kernels.hpp>
#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace picus::solvers {

class BlockElimination {
 public:
  /// Largest number of rows of a block.
  static constexpr Index max_rows = 6;

  /// Orders the blocks. `first_rows`: the first row of each block, and the number of rows. The entries of the matrix
  /// fill blocks, in each column of which their rows are consecutive; blocks (i, j) and (j, i) both exist, or neither,
  /// and all diagonal blocks do.
  void analyze(const SparseMatrix& matrix, std::span<const Index> first_rows);
  /// Factorises a matrix with the analysed pattern; false if a diagonal block is singular or a value not finite.
  bool factorize(const SparseMatrix& matrix);
  /// Overwrites b with the solution. Its accuracy is unknown, as small pivots are used where they occur.
  void solve(Vector& b);

 private:
  using Blocks = std::vector<BlockEntry>;

  static std::span<const BlockEntry> column(const Blocks& blocks, const std::vector<Index>& start, Index j) {
    return std::span(blocks).subspan(start[j], start[j + 1] - start[j]);
  }
  std::span<const BlockEntry> lower(Index j) const { return column(lower_, lower_start_, j); }
  std::span<const BlockEntry> upper(Index j) const { return column(upper_, upper_start_, j); }
  void find_factors(const std::vector<std::vector<Index>>& columns);
  template <int Size>
  bool factorize_blocks(const SparseMatrix& matrix);
  template <int Size>
  void solve_blocks(Vector& b);

  Index count_ = 0;          ///< number of blocks on the diagonal
  int common_rows_ = 0;      ///< number of rows of all blocks, 0 if they differ
  Index largest_ = 0;        ///< the largest number of values of a block
  std::vector<Index> rows_;  ///< of the block at a position
  const BlockKernels* kernels_ = &block_kernels();
  std::vector<Index> first_row_;
  Blocks matrix_;  ///< by columns: its first value is relative to the start of the column
  std::vector<Index> matrix_start_;
  Blocks lower_, upper_;  ///< of the factors, by columns, ascending
  std::vector<Index> lower_start_, upper_start_;
  std::vector<double> values_;     ///< of both factors, each block by columns
  std::vector<double> diagonals_;  ///< factors of the diagonal blocks
  std::vector<Index> exchanges_;   ///< of their rows
  std::vector<double> column_;     ///< the column of blocks that is eliminated
  std::vector<double> unknowns_;   ///< in the order of elimination, if all blocks have three rows, padded
};

}  // namespace picus::solvers
