#pragma once

/// Rank and null space of a sparse matrix by rank-revealing QR (SPQR, SuiteSparse) [Davis 2011].

#include <picus/types.hpp>

#include <vector>

namespace picus::solvers {

/// One nonzero; entries at the same position are summed.
struct SparseEntry {
  Index row, column;
  double value;
};

/// Factorisation A E = Q [R_1 R_2; 0 0] of an n x m matrix A with columns of unit length or zero; R_1 (r x r) is
/// nonsingular.
class SparseRank {
 public:
  /// Columns whose distance from the span of others is less than `tolerance` count as dependent. Throws SolverError
  /// when SPQR fails (out of memory).
  SparseRank(Index rows, Index columns, const std::vector<SparseEntry>& entries, double tolerance);

  Index rank() const { return rank_; }
  /// A basis of the null space A y = 0: m x (m - r), columns scaled to a largest entry of 1.
  const std::vector<Vector>& null_space() const { return null_space_; }
  /// The part of b that is orthogonal to all columns of A.
  Vector orthogonal_part(Vector b) const;

 private:
  void solve_leading_triangle(Vector& x, bool transposed) const;

  Index columns_;
  Index rank_ = 0;
  std::vector<SparseEntry> entries_;
  std::vector<Index> permutation_;           ///< column of A of each column of R
  std::vector<std::vector<SparseEntry>> R_;  ///< columns of R
  std::vector<Vector> null_space_;
};

}  // namespace picus::solvers
