#pragma once

#include <picus/solvers/linear/linear_solver.hpp>

#include <umfpack.h>

#include <array>

namespace picus::solvers {

/// UMFPACK (SuiteSparse): multifrontal LU with dense blocks, for general large matrices. The matrices of Picus have
/// symmetric patterns, which are ordered by nested dissection.
class UmfpackSolver : public LinearSolver {
 public:
  /// `refinements`: number of iterative refinement steps in each solve.
  explicit UmfpackSolver(int refinements = 2);
  ~UmfpackSolver() override;
  UmfpackSolver(const UmfpackSolver&) = delete;
  UmfpackSolver& operator=(const UmfpackSolver&) = delete;

  std::string_view name() const override { return "UMFPACK"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  /// Overwrites b with the solution of A^T x = b.
  void solve_transposed(std::span<double> b);
  const LinearSolverStatistics& statistics() const override { return statistics_; }

 private:
  void solve(std::span<double> b, int which);
  void release_numeric();

  std::array<double, UMFPACK_CONTROL> control_{};
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;
  SparseMatrix factored_;
  std::vector<double> solution_;
  std::vector<Index> integer_work_;
  std::vector<double> work_;
  LinearSolverStatistics statistics_;
};

}  // namespace picus::solvers
