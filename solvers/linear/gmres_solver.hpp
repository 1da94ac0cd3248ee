#pragma once

#include <picus/solvers/linear/contact_elimination.hpp>
#include <picus/solvers/linear/sweep_rows.hpp>
#include <picus/solvers/linear/sweep_schedule.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

namespace picus::solvers {

/// GMRES for large models with contacts: the counterpart of ConjugateGradientSolver for matrices that are indefinite
/// and unsymmetric due to frictional contacts. Trailing unknowns must be multipliers of contacts. They are eliminated
/// contact by contact (ContactElimination); where the mass dominates, the reduced system is solved in a few iterations,
/// preconditioned by symmetric Gauss-Seidel with Eisenstat's trick. If this takes too many, the LU factors of an
/// earlier reduced matrix are the preconditioner, renewed when the number of iterations grows again. These decisions
/// are based on iteration counts, never on measured times.
///
/// Where contacts share their components (of a rigid body, of a node in a corner), or a diagonal block is singular,
/// UMFPACK solves the full system.
class GmresSolver : public LinearSolver {
 public:
  /// Iterates until the residual, preconditioned and weighted with the diagonal, has been reduced by the factor
  /// `accuracy`. `threads` execute sweeps in parallel; null: single-threaded. `patterns`, if not null, must outlive it.
  explicit GmresSolver(double accuracy = 1e-3, const Threads* threads = nullptr,
                       PatternPool* patterns = nullptr)
      : accuracy_(accuracy), threads_(threads), patterns_(patterns) {}

  std::string_view name() const override { return "GMRES"; }
  void analyze(const SparseMatrix& matrix, Index trailing) override;
  bool factorize(const SparseMatrix& matrix) override;
  bool factorize_trailing(const SparseMatrix& matrix) override;
  void solve(std::span<double> b) override;
  void set_accuracy(double accuracy) override { asked_accuracy_ = accuracy; }
  bool sweeps() const override { return method_ == Method::sweeps && is_reducible_; }
  const LinearSolverStatistics& statistics() const override { return statistics_; }

 private:
  enum class Method : std::uint8_t { whole, sweeps, factors, exact_factors };

  bool factorize_whole(const SparseMatrix& matrix);
  bool factorize_reduced();
  void prepare(const SparseMatrix& matrix);
  void weigh_rows();
  bool iterate(Eigen::Map<Vector> b, double accuracy);
  void precondition(Vector& r);
  void apply(const Eigen::Ref<const Vector>& p, Eigen::Ref<Vector> q);
  void sweep_forward(Eigen::Ref<Vector> x) const;
  void sweep_backward(Eigen::Ref<Vector> x) const;

  double accuracy_;
  double asked_accuracy_ = 0.0;  ///< for the next solution
  const Threads* threads_;
  PatternPool* patterns_;
  SweepSchedule schedule_;
  Index contact_rows_ = 0;
  ContactElimination elimination_;
  SweepRows rows_;            ///< rows of the reduced matrix
  bool is_prepared_ = false;  ///< elimination_ has been tried
  bool is_reducible_ = false;
  Method method_ = Method::sweeps;
  bool wants_factors_ = false;  ///< the next matrix is to be factorised
  bool has_factors_ = false;    ///< reduced_lu_ holds factors, possibly of an earlier matrix
  bool whole_is_analyzed_ = false, reduced_is_analyzed_ = false;
  UmfpackSolver whole_lu_, reduced_lu_{0};
  Vector weight_;
  Eigen::MatrixXd basis_, hessenberg_;
  Vector cosine_, sine_, right_side_, t_;
  LinearSolverStatistics statistics_;
};

}  // namespace picus::solvers
