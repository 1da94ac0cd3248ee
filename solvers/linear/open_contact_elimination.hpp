#pragma once

#include <picus/solvers/linear/umfpack_solver.hpp>

namespace picus::solvers {

/// A direct solver for many contacts of which few are closed. The row of a multiplier whose contact is open holds its
/// diagonal alone: that multiplier is known and is eliminated before UMFPACK factorises the rest. The pattern of the rest is
/// analysed again when the set of such rows has changed; nothing else is kept from one matrix to the next, so that a
/// solution depends on the matrix alone.
class OpenContactElimination : public LinearSolver {
 public:
  std::string_view name() const override { return "UMFPACK without open contacts"; }
  /// Those of the `trailing` unknowns whose rows have a single entry are eliminated.
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  const LinearSolverStatistics& statistics() const override { return rest_.statistics(); }
  /// Unknowns of the system that was factorised last.
  Index rest_size() const { return matrix_.size; }

 private:
  struct RowEntry {
    Index row;    ///< counted from the first trailing one
    Index place;  ///< among the values
  };
  struct ColumnEntry {
    Index row, place;
    double value;
  };
  /// An eliminated unknown: x = b / pivot, then b -= x column.
  struct Column {
    Index unknown;
    Index end;  ///< in `entries_`; it begins where the one before ends
    Index pivot_place;
    double pivot;
  };

  void extract(const SparseMatrix& matrix);

  Index first_ = 0;                     ///< trailing unknown
  std::vector<RowEntry> off_diagonal_;  ///< of trailing rows
  std::vector<char> stays_, stayed_;    ///< for each trailing unknown
  std::vector<Column> left_;
  std::vector<ColumnEntry> entries_;

  UmfpackSolver rest_;
  SparseMatrix matrix_;         ///< that rest_ factorises
  std::vector<Index> place_;    ///< of each entry of `matrix_` in the whole one
  std::vector<Index> unknown_;  ///< of each column of `matrix_`
  std::vector<double> b_;
};

}  // namespace picus::solvers
