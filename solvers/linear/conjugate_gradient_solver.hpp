#pragma once

#include <picus/solvers/linear/cholmod_solver.hpp>

namespace picus {

/// Preconditioned conjugate gradients for large symmetric positive definite matrices. Where the mass
/// dominates (steps that resolve elastic waves) the diagonal is preconditioner enough, and a solve costs a
/// small part of a factorisation. Where it takes more iterations than that is worth, the Cholesky factor of
/// an earlier matrix serves as preconditioner, and is renewed when it has aged. Whether, is decided by
/// counts, never by a clock.
class ConjugateGradientSolver : public LinearSolver {
 public:
  /// Solves to |A x - b| <= accuracy |b| in the norm of the inverse diagonal.
  explicit ConjugateGradientSolver(double accuracy = 1e-5) : accuracy_(accuracy) {}

  std::string_view name() const override { return "conjugate gradients"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  const LinearSolverStatistics& statistics() const override { return statistics_; }

 private:
  void multiply(const Vector& x, Vector& y) const;
  void precondition();
  bool factorize_directly();

  double accuracy_;
  SparseMatrix matrix_;
  Vector inverse_diagonal_;
  Vector x_, r_, z_, p_, q_;
  CholmodSolver direct_;
  bool is_analyzed_ = false;      ///< by direct_
  bool wants_factor_ = false;     ///< the next matrix is to be factorised
  bool has_factor_ = false;       ///< direct_ holds a factor, of an earlier matrix perhaps
  bool factor_is_exact_ = false;  ///< that of the present matrix
  LinearSolverStatistics statistics_;
};

}  // namespace picus
