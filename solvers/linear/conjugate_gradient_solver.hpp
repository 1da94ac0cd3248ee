#pragma once

#include <picus/solvers/linear/cholmod_solver.hpp>
#include <picus/solvers/linear/sweep_rows.hpp>
#include <picus/solvers/linear/sweep_schedule.hpp>

namespace picus::solvers {

/// Preconditioned conjugate gradients for large symmetric positive definite matrices A = L + D + L^T. Where the mass
/// dominates (steps that resolve elastic waves) symmetric Gauss-Seidel, (D + L) D^-1 (D + L^T), is a sufficient
/// preconditioner, and a solve costs a small fraction of a factorisation. If this takes too many iterations, the
/// Cholesky factor of an earlier matrix is the preconditioner instead, and is renewed when the number of iterations
/// grows again. These decisions are based on iteration counts, never on measured times, so that results are
/// reproducible.
///
/// With Eisenstat's trick (1981, SIAM J. Sci. Stat. Comput. 2, 1-4) an iteration with Gauss-Seidel is as cheap as one
/// without: (D + L)^-1 A (D + L^T)^-1 p = t + (D + L)^-1 (p - D t) with t = (D + L^T)^-1 p.
class ConjugateGradientSolver : public LinearSolver {
 public:
  /// Iterates until the residual, in the norm of the preconditioner, has been reduced by the factor `accuracy`. Within
  /// a Newton iteration a rough solution is sufficient: the outer iteration corrects the rest. `threads` execute sweeps
  /// in parallel; null: single-threaded.
  explicit ConjugateGradientSolver(double accuracy = 3e-3, const Threads* threads = nullptr)
      : accuracy_(accuracy), threads_(threads) {}

  std::string_view name() const override { return "conjugate gradients"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  void set_accuracy(double accuracy) override { asked_accuracy_ = accuracy; }
  bool sweeps() const override { return !has_factor_; }
  const LinearSolverStatistics& statistics() const override { return statistics_; }

 private:
  bool factorize_directly();
  bool solve_with_sweeps(Eigen::Map<Vector> b, double accuracy);
  bool solve_with_factor(Eigen::Map<Vector> b);
  void sweep_forward(Vector& x) const;
  void sweep_backward(Vector& x) const;

  double accuracy_;
  double asked_accuracy_ = 0.0;  ///< for the next solution
  const Threads* threads_;
  SweepSchedule schedule_;
  SparseMatrix matrix_;
  SweepRows rows_;
  Vector x_, r_, z_, p_, q_;
  CholmodSolver direct_;
  bool is_analyzed_ = false;      ///< direct_ has analysed the pattern
  bool wants_factor_ = false;     ///< whether to factorise the next matrix
  bool has_factor_ = false;       ///< direct_ holds a factor, possibly of an earlier matrix
  bool factor_is_exact_ = false;  ///< the factor is that of the present matrix
  LinearSolverStatistics statistics_;
};

}  // namespace picus::solvers
