#pragma once

#include <picus/solvers/linear/linear_solver.hpp>

#include <cholmod.h>

namespace picus::solvers {

/// CHOLMOD (SuiteSparse): supernodal Cholesky factorisation of symmetric positive definite matrices, of which only the
/// lower triangle is read. Systems with a matrix that is not positive definite (a step beyond a buckling load) are
/// solved by LU.
class CholmodSolver : public LinearSolver {
 public:
  CholmodSolver();
  ~CholmodSolver() override;
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;

  std::string_view name() const override { return "CHOLMOD"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override { solve_all(b, 1); }
  void solve_all(std::span<double> b, Index count) override;
  const LinearSolverStatistics& statistics() const override { return statistics_; }

  /// Number of nonzeros of the factor as predicted by the analysis.
  double factor_entries() const { return common_.lnz; }

 private:
  cholmod_sparse view(const SparseMatrix& matrix) const;
  bool factorize_by_lu(const SparseMatrix& matrix);
  void release();

  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_1_ = nullptr, *work_2_ = nullptr;
  std::vector<double> factored_;
  std::unique_ptr<LinearSolver> lu_;  ///< created when first needed
  bool by_lu_ = false;                ///< the present factors are those of lu_
  SparseMatrix pattern_;              ///< for lu_; without values
  LinearSolverStatistics statistics_;
};

}  // namespace picus::solvers
