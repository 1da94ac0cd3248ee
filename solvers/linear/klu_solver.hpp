#pragma once

#include <picus/solvers/linear/linear_solver.hpp>

#include <klu.h>

#include <optional>

namespace picus::solvers {

/// Ordering used by KLU: by the pattern of A + A^T, which is best as long as pivots stay on the diagonal, or by that of
/// A^T A, which bounds the fill-in for any choice of pivots.
enum class KluOrdering : std::uint8_t { symmetric, column };

/// KLU's analysis of a pattern, in which the last `trailing` unknowns are eliminated last. Null if KLU fails.
klu_symbolic* analyze_for_klu(const SparseMatrix& matrix, Index trailing, KluOrdering ordering,
                              klu_common& common);

/// KLU (SuiteSparse): left-looking LU with block triangular form, for small and circuit-like matrices. Pivots are
/// chosen once and kept (klu_refactor) as long as the pivot growth is acceptable.
///
/// Rows of multipliers have almost zero diagonals. Where one precedes its bodies, an off-diagonal pivot is chosen and
/// the symmetric ordering is lost: for a chain of bodies the fill-in then grows with the square of its length.
/// Therefore, if the first matrix has such rows, the ordering is chosen by this matrix: for a small one both are tried,
/// for a large one the column ordering is used.
class KluSolver : public LinearSolver {
 public:
  /// With a given ordering instead of one chosen by the first matrix.
  explicit KluSolver(std::optional<KluOrdering> ordering = {});
  ~KluSolver() override;
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;

  std::string_view name() const override { return "KLU"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  const LinearSolverStatistics& statistics() const override { return statistics_; }

 private:
  bool refactorize(const SparseMatrix& matrix);
  void choose_ordering(const SparseMatrix& matrix);
  void set_ordering(KluOrdering ordering, const SparseMatrix& matrix);
  double fill_of(KluOrdering ordering, const SparseMatrix& matrix);
  void release();

  std::optional<KluOrdering> forced_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  IndexList column_start_, row_;
  Index trailing_ = 0;
  bool ordering_is_chosen_ = false;
  std::vector<double> factored_;
  double chosen_rcond_ = 0.0;  ///< smallest over largest pivot when the pivots were last accepted
  LinearSolverStatistics statistics_;
};

}  // namespace picus::solvers
