#pragma once

/// The rows of a sparse matrix for Gauss-Seidel sweeps and matrix-vector products, stored to minimise memory traffic:
/// one index for each run of consecutive columns (the components of neighbouring nodes of a mesh) in place of one for
/// each value, and values in single precision where an outer iteration corrects the solution. Sweeps in single
/// precision process the rows of a node, whose columns are the same, together; products accumulate their sums in double
/// precision.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

/// Accuracy of a solution by sweeps: `asked` if that is positive, but no better than is permitted by the
/// precision of values chosen for `usual`.
double next_accuracy(double usual, double asked);

class SweepRows {
 public:
  /// Sets up the pattern. `rows` is the transpose of the matrix, whose columns are the rows, `diagonal` the position of
  /// each diagonal entry. `accuracy`, the relative accuracy of solutions, determines the precision of the values.
  void build(const SparseMatrix& rows, std::span<const Index> diagonal, double accuracy);
  /// Copies the values of a matrix with that pattern, in parallel if `threads` is not null.
  void assign(const SparseMatrix& rows, const Threads* threads);
  /// The same if only the rows `changed` differ from the last matrix.
  void assign(const SparseMatrix& rows, std::span<const Index> changed);

  Index size() const { return count_of(diagonal_); }
  /// D.
  const Vector& diagonal() const { return diagonal_; }

  /// x := (D + L)^-1 x in the rows [first, last); all rows before them must have been solved for the same x, and no other
  /// x meanwhile. The sums of a row do not depend on the range in which it is solved.
  void solve_lower(Index first, Index last, double* x) const;
  /// x := (D + U)^-1 x in the rows [first, last); all rows after them must have been solved.
  void solve_upper(Index first, Index last, double* x) const;
  /// y = A x.
  void multiply(const double* x, double* y, const Threads* threads) const;

 private:
  /// Consecutive columns of a row, all before or all after its block.
  struct Run {
    Index column;
    Index count;
  };
  /// Values on one side of the diagonal, row by row, divided by unit_; one of the lists is empty.
  struct Side {
    std::vector<Index> start;  ///< of each row, and the end
    std::vector<float> singles;
    std::vector<double> doubles;
    template <class Real>
    const std::vector<Real>& values() const;
  };
  void find_blocks(const SparseMatrix& rows);
  void list_runs(const SparseMatrix& rows);
  /// Copies the values of the rows [first, last).
  void copy_values(const SparseMatrix& rows, std::size_t first, std::size_t last);
  /// Calls visit(block, first, last) for the parts of blocks in a range of rows, forward or backward.
  template <class Visit>
  void visit_forward(Index first, Index last, const Visit& visit) const;
  template <class Visit>
  void visit_backward(Index first, Index last, const Visit& visit) const;
  template <Index count>
  void solve_lower_rows(Index block, Index first, double* x) const;
  template <Index count>
  void solve_upper_rows(Index block, Index first, double* x) const;
  /// Sum over the columns before (after) the diagonal.
  template <class Real>
  double lower_sum(Index row, const double* x) const;
  template <class Real>
  double upper_sum(Index row, const double* x) const;
  template <class Real>
  void multiply_rows(Index first, Index last, const double* x, double* y) const;

  IndexList start_;                    ///< of each row in the matrix
  std::vector<Index> place_;           ///< of the diagonal entry of each row
  std::vector<Index> block_of_;        ///< block of consecutive rows with the same columns, of each row
  std::vector<Index> first_of_block_;  ///< first row of each block, and the number of rows
  std::vector<Index> first_run_;       ///< of the columns before and of those after each block
  std::vector<Run> runs_;
  bool is_single_ = false;
  Side lower_, upper_;
  std::vector<float> inverse_;    ///< unit_ over the diagonal
  mutable std::vector<float> x_;  ///< unit_ times the entries of x solved so far
  double unit_ = 0.0;             ///< a power of two that prevents overflow and underflow
  Vector diagonal_;
};

}  // namespace picus::solvers
