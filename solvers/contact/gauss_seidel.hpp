#pragma once

/// The frictional contact problem by block Gauss-Seidel: each contact in turn (contact_order.hpp) is solved exactly
/// with the others fixed, and sweeps are combined by Anderson acceleration (Walker and Ni 2011): the combination of the
/// last sweeps with the smallest change. Most problems of heaps of spheres converge to ten digits in some dozens of
/// sweeps; without acceleration hundreds of sweeps gain a single digit.

#include <picus/solvers/contact/contact_order.hpp>
#include <picus/solvers/contact/delassus_problem.hpp>

#include <vector>

namespace picus::solvers {

struct GaussSeidelOptions {
  int max_sweeps = 200;
  double tolerance = 1.0;  ///< of the weighted residual of the law
  /// A residual that suffices if `tolerance` is not reached by few_sweeps; 0: none does.
  double sufficient_residual = 0.0;
  int few_sweeps = 10;  ///< a solution that is nearer than this is not worth another solve
  /// Number of sweeps that must halve the smallest residual; otherwise the iteration ends.
  int patience = 40;
  const Threads* threads = nullptr;  ///< execute sweeps in parallel; null: single-threaded
};

struct GaussSeidelReport {
  bool converged = false;
  int sweeps = 0;
  double residual = 0.0;  ///< weighted residual of the law before the last sweep
};

/// Solves for P, starting from the given P.
class GaussSeidel {
 public:
  GaussSeidelReport solve(const DelassusProblem& problem, Vector& P, const GaussSeidelOptions& options = {});

 private:
  static constexpr int depth = 15;  ///< number of sweeps combined
  using GramMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, depth, depth>;
  using GramVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, depth, 1>;

  double sweep(const Threads* threads);
  double solve_contact(Index contact);
  void accelerate();

  const DelassusProblem* problem_ = nullptr;
  ContactOrder order_;
  std::vector<double> worst_;  ///< residual of each task of the order
  Vector* P_ = nullptr;
  Vector scale_;                                       ///< of P, so that squared changes are energies
  Vector start_, change_, last_change_, last_result_;  ///< of a sweep, scaled
  Eigen::MatrixXd changes_, results_;                  ///< scaled differences of the last sweeps
  Eigen::Matrix<double, depth, depth> gram_;
  int stored_ = 0, next_ = 0;
  bool has_last_ = false;
};

}  // namespace picus::solvers
