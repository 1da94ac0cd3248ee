#pragma once

/// Solves systems with the block matrices of contact problems: by elimination of blocks where its solutions turn out
/// to be accurate, otherwise with pivots, by KLU for small and UMFPACK for large ones.

#include <picus/solvers/contact/block_elimination.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

#include <memory>
#include <span>
#include <vector>

namespace picus::solvers {

class BlockSolver {
 public:
  /// Orders the unknowns, unless the pattern is that of the last call. `first_rows`: the blocks (block_elimination.hpp);
  /// without them pivots are used.
  void analyze(const SparseMatrix& matrix, std::span<const Index> first_rows = {});
  /// Factorises a matrix with the analysed pattern, which solve() also uses; false if a pivot is zero or a value not
  /// finite.
  bool factorize(const SparseMatrix& matrix);
  /// Overwrites b with the solution; with NaN if there is none.
  void solve(Vector& b);
  /// Number of factorisations with pivots so far.
  std::int64_t pivoted() const { return pivoted_; }

 private:
  bool factorize_with_pivots();
  void solve_once(Vector& b);
  /// residual_ = b_ - A x; returns its largest component relative to the terms of its row.
  double find_residual(const Vector& x);

  BlockElimination blocks_;
  std::unique_ptr<LinearSolver> pivoting_;  ///< null until needed
  bool has_blocks_ = false;
  bool uses_blocks_ = false;  ///< for the matrix last factorised
  IndexList column_start_, row_;
  std::vector<Index> first_rows_;
  const SparseMatrix* matrix_ = nullptr;
  Vector b_, residual_, terms_;
  std::int64_t pivoted_ = 0;
};

}  // namespace picus::solvers
