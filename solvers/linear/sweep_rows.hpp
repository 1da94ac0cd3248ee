#pragma once

/// The rows of a sparse matrix for Gauss-Seidel sweeps and products, stored such that little memory is read: one index for each
/// run of consecutive columns (the components of neighbouring nodes of a mesh) in place of one for each value, and values in
/// single precision where an outer iteration corrects the solution. Sums are of double precision.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

class SweepRows {
 public:
  /// `rows`: a matrix whose columns are the rows meant, `diagonal` the place of each diagonal entry. Takes the pattern, and
  /// the precision that solutions of `accuracy`, relative, ask for.
  void build(const SparseMatrix& rows, std::span<const Index> diagonal, double accuracy);
  /// Takes the values of a matrix of that pattern, with the help of `threads` if there are any.
  void assign(const SparseMatrix& rows, const Threads* threads);
  /// The same where only some of the rows have changed since.
  void assign(const SparseMatrix& rows, std::span<const Index> changed);

  Index size() const { return static_cast<Index>(diagonal_.size()); }
  /// D.
  const Vector& diagonal() const { return diagonal_; }

  /// x := (D + L)^-1 x in the rows [first, last), those before them solved.
  void solve_lower(Index first, Index last, double* x) const;
  /// x := (D + U)^-1 x in the rows [first, last), those behind them solved.
  void solve_upper(Index first, Index last, double* x) const;
  /// y = A x.
  void multiply(const double* x, double* y, const Threads* threads) const;

 private:
  /// Consecutive columns of a row, all before or all behind the diagonal.
  struct Run {
    Index column;
    Index count;
  };
  /// Over the columns before, or behind, the diagonal.
  double lower_sum(Index row, const double* x) const;
  double upper_sum(Index row, const double* x) const;
  template <class Real>
  double lower_sum(const std::vector<Real>& values, Index row, const double* x) const;
  template <class Real>
  double upper_sum(const std::vector<Real>& values, Index row, const double* x) const;
  /// Values of all rows from `first` to `last`.
  void take(const SparseMatrix& rows, std::size_t first, std::size_t last);

  std::vector<Index> start_, place_;  ///< of each row, and of its diagonal entry, in the values
  std::vector<Index> first_run_;      ///< of the part before and of the part behind each diagonal
  std::vector<Run> runs_;
  bool is_single_ = false;
  std::vector<float> singles_;   ///< values over unit_, or
  std::vector<double> doubles_;  ///< the same in double precision
  double unit_ = 0.0;            ///< a power of two, so that values of any magnitude fit
  Vector diagonal_;
};

}  // namespace picus::solvers
