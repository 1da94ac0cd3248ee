#pragma once

/// The frictional contact problem with many contacts: y = b + W P with the law of augmented_law.hpp. Methods in the
/// order in which they are tried: Gauss-Seidel sweeps with Anderson acceleration, warm-started from the multipliers of
/// the last step; if they stall, Newton's method with a proximal term; if this cycles, the interior-point method,
/// followed by Newton's method, from two initial points; if both stall among jammed contacts, the proximal-point method,
/// which ends near a solution where it does not reach one.

#include <picus/solvers/contact/contact_newton.hpp>
#include <picus/solvers/contact/contact_proximal.hpp>
#include <picus/solvers/contact/gauss_seidel.hpp>
#include <picus/solvers/contact/interior_point.hpp>

namespace picus::solvers {

struct ContactSolverReport {
  bool converged = false;
  int sweeps = 0;
  int newton_iterations = 0;
  int interior_point_iterations = 0;
  int proximal_iterations = 0;
  double residual = 0.0;  ///< weighted residual of the law
};

struct ContactSolverOptions {
  double tolerance = 1.0;  ///< of the weighted residual
  /// A residual that counts as converged after Newton iterations: a smaller one is not worth another method.
  double acceptable_residual = 1.0;
  /// A residual that suffices where the tolerance is not reached by a few sweeps; 0: none does.
  double sufficient_residual = 0.0;
  /// For sweeps: a prediction of the change of P, which is added to it if P is no solution and the sum is nearer to one;
  /// null: none.
  const Vector* expected_change = nullptr;
  const Threads* threads = nullptr;  ///< execute sweeps in parallel; null: single-threaded
};

class ContactSolver {
 public:
  /// Iterates from P to a solution, or as close to one as possible.
  ContactSolverReport solve(const DelassusProblem& problem, Vector& P,
                            const ContactSolverOptions& options = {});
  /// The same by sweeps alone.
  ContactSolverReport solve_by_sweeps(const DelassusProblem& problem, Vector& P,
                                      const ContactSolverOptions& options = {});
  /// The same by Newton's method alone, from where sweeps have stalled: with them it mostly suffices.
  ContactSolverReport solve_by_newton(const DelassusProblem& problem, Vector& P,
                                      const ContactSolverOptions& options = {});
  /// The same by the other methods, from where Newton's has stalled.
  ContactSolverReport solve_thoroughly(const DelassusProblem& problem, Vector& P,
                                       const ContactSolverOptions& options = {});

 private:
  /// The arguments of a solve.
  struct Task {
    const DelassusProblem& problem;
    Vector& P;
    const ContactSolverOptions& options;
  };
  /// One sweep from P, and if that is not enough P with its expected change, if that is better. Returns whether P is a
  /// solution.
  bool choose_start(const Task& task, ContactSolverReport& report);
  double residual_at(const Task& task, const Vector& P);
  void sweep(const Task& task, ContactSolverReport& report);
  void iterate(const Task& task, ContactSolverReport& report);  ///< Newton's method

  GaussSeidel sweeps_;
  ContactNewton newton_;
  InteriorPointSolver interior_point_;
  ContactProximal proximal_;
  Vector best_, y_, r_;
};

}  // namespace picus::solvers
