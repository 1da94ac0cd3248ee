#pragma once

#include <picus/solvers/linear/linear_solver.hpp>

#include <klu.h>

namespace picus {

/// KLU's analysis of a pattern, with the `trailing` unknowns at the end eliminated last. Null when KLU
/// refuses.
klu_symbolic* analyze_for_klu(const SparseMatrix& matrix, Index trailing, klu_common& common);

/// KLU (SuiteSparse): left-looking LU with block triangular form, for small and circuit-like matrices. Pivots
/// are chosen once and kept (klu_refactor) as long as the pivot growth stays harmless.
class KluSolver : public LinearSolver {
 public:
  KluSolver();
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
  void release();

  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  std::vector<Index> column_start_, row_;
  std::vector<double> factored_;
  double chosen_rcond_ = 0.0;  ///< smallest over largest pivot when the pivots were last found good
  LinearSolverStatistics statistics_;
};

}  // namespace picus
