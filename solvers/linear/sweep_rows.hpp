#pragma once

/// The rows of a sparse matrix for Gauss-Seidel sweeps and matrix-vector products, stored to minimise memory traffic:
/// one index for each run of consecutive columns (the components of neighbouring nodes of a mesh) in place of one for
/// each value, and values in single precision where an outer iteration corrects the solution. Sums are accumulated in
/// double precision.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

class SweepRows {
 public:
  /// Sets up the pattern. `rows` is the transpose of the matrix, whose columns are the rows, `diagonal` the position of
  /// each diagonal entry. `accuracy`, the relative accuracy of solutions, determines the precision of the values.
  void build(const SparseMatrix& rows, std::span<const Index> diagonal, double accuracy);
  /// Copies the values of a matrix with that pattern, in parallel if `threads` is not null.
  void assign(const SparseMatrix& rows, const Threads* threads);
  /// The same if only the rows `changed` differ from the last matrix.
  void assign(const SparseMatrix& rows, std::span<const Index> changed);

  Index size() const { return static_cast<Index>(diagonal_.size()); }
  /// D.
  const Vector& diagonal() const { return diagonal_; }

  /// x := (D + L)^-1 x in the rows [first, last); all rows before them must have been solved.
  void solve_lower(Index first, Index last, double* x) const;
  /// x := (D + U)^-1 x in the rows [first, last); all rows after them must have been solved.
  void solve_upper(Index first, Index last, double* x) const;
  /// y = A x.
  void multiply(const double* x, double* y, const Threads* threads) const;

 private:
  /// Consecutive columns of a row, all before or all after the diagonal.
  struct Run {
    Index column;
    Index count;
  };
  /// Sum over the columns before (after) the diagonal.
  double lower_sum(Index row, const double* x) const;
  double upper_sum(Index row, const double* x) const;
  template <class Real>
  double lower_sum(const std::vector<Real>& values, Index row, const double* x) const;
  template <class Real>
  double upper_sum(const std::vector<Real>& values, Index row, const double* x) const;
  /// Copies the values of the rows [first, last).
  void copy_values(const SparseMatrix& rows, std::size_t first, std::size_t last);

  std::vector<Index> start_, place_;  ///< of each row, and of its diagonal entry, in the values
  std::vector<Index> first_run_;      ///< of the part before and of the part after each diagonal
  std::vector<Run> runs_;
  bool is_single_ = false;
  std::vector<float> singles_;   ///< values divided by unit_, or
  std::vector<double> doubles_;  ///< the same in double precision
  double unit_ = 0.0;            ///< a power of two that prevents overflow and underflow
  Vector diagonal_;
};

}  // namespace picus::solvers
