#pragma once

#include <picus/solvers/linear/umfpack_solver.hpp>

namespace picus::solvers {

/// A direct solver for many contacts of which few are closed. The row of a multiplier of an open contact has only its
/// diagonal entry: that multiplier is known and is eliminated before UMFPACK factorises the rest. The pattern of the
/// rest is analysed again when the set of such rows has changed; no other data is kept from one matrix to the next, so
/// that a solution depends only on the matrix.
class OpenContactElimination : public LinearSolver {
 public:
  std::string_view name() const override { return "UMFPACK without open contacts"; }
  /// Trailing unknowns whose rows have a single nonzero are eliminated.
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  const LinearSolverStatistics& statistics() const override { return rest_.statistics(); }
  /// Number of unknowns of the system factorised last.
  Index rest_size() const { return matrix_.size; }

 private:
  struct RowEntry {
    Index row;    ///< relative to the first trailing one
    Index place;  ///< index into the values
  };
  struct ColumnEntry {
    Index row, place;
    double value;
  };
  /// An eliminated unknown: x = b / pivot, then b -= x column.
  struct Column {
    Index unknown;
    Index end;  ///< index into `entries_`; it begins where the previous one ends
    Index pivot_place;
    double pivot;
  };

  void extract(const SparseMatrix& matrix);

  Index first_ = 0;                               ///< first trailing unknown
  std::vector<RowEntry> off_diagonal_;            ///< off-diagonal entries of trailing rows
  std::vector<char> is_retained_, was_retained_;  ///< whether each trailing unknown is (was) not eliminated
  std::vector<Column> eliminated_;
  std::vector<ColumnEntry> entries_;

  UmfpackSolver rest_;
  SparseMatrix matrix_;         ///< the matrix factorised by rest_
  std::vector<Index> place_;    ///< position of each entry of `matrix_` in the full matrix
  std::vector<Index> unknown_;  ///< unknown of each column of `matrix_`
  std::vector<double> b_;
};

}  // namespace picus::solvers
