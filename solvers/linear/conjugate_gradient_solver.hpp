#pragma once

#include <picus/solvers/linear/cholmod_solver.hpp>
#include <picus/solvers/linear/sweep_rows.hpp>
#include <picus/solvers/linear/sweep_schedule.hpp>

namespace picus::solvers {

/// Preconditioned conjugate gradients for large symmetric positive definite matrices A = L + D + L^T. Where the
/// mass dominates (steps that resolve elastic waves) symmetric Gauss-Seidel, (D + L) D^-1 (D + L^T), is
/// a sufficient preconditioner, and a solve costs a small part of a factorisation. Where this takes too many iterations,
/// the Cholesky factor of an earlier matrix is the preconditioner instead, and is renewed when iterations become many
/// again. Counts of iterations decide, never measured times, so that results are reproducible.
///
/// Eisenstat's form (1981, SIAM J. Sci. Stat. Comput. 2, 1-4) makes an iteration with Gauss-Seidel as cheap as one
/// without: (D + L)^-1 A (D + L^T)^-1 p = t + (D + L)^-1 (p - D t) with t = (D + L^T)^-1 p.
class ConjugateGradientSolver : public LinearSolver {
 public:
  /// Solves until the residual, in the norm of the preconditioner, is `accuracy` of what it was. Within a Newton
  /// iteration a rough solution serves: the outer iteration corrects what is left. `threads` share its sweeps; null: it has none.
  explicit ConjugateGradientSolver(double accuracy = 3e-3, const Threads* threads = nullptr)
      : accuracy_(accuracy), threads_(threads) {}

  std::string_view name() const override { return "conjugate gradients"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  const LinearSolverStatistics& statistics() const override { return statistics_; }

 private:
  bool factorize_directly();
  bool solve_with_sweeps(Eigen::Map<Vector> b);
  bool solve_with_factor(Eigen::Map<Vector> b);
  void sweep_forward(Vector& x) const;
  void sweep_backward(Vector& x) const;

  double accuracy_;
  const Threads* threads_;
  SweepSchedule schedule_;
  SparseMatrix matrix_;
  SweepRows rows_;
  Vector x_, r_, z_, p_, q_;
  CholmodSolver direct_;
  bool is_analyzed_ = false;      ///< by direct_
  bool wants_factor_ = false;     ///< whether to factorise the next matrix
  bool has_factor_ = false;       ///< direct_ holds a factor, of an earlier matrix perhaps
  bool factor_is_exact_ = false;  ///< that of the present matrix
  LinearSolverStatistics statistics_;
};

}  // namespace picus::solvers
