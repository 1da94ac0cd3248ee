#pragma once

/// Newton's method for r(x) = 0 with a piecewise smooth r: at a kink the generalised Jacobian of the piece in
/// which the iterate lies is used. A residual that grows is met by a line search.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/types.hpp>

#include <limits>

namespace picus {

/// How far an iterate is from a solution.
struct ResidualNorm {
  /// Largest |r_i| over its tolerance; solved when <= 1, NaN and infinity are never solved.
  double worst = 0.0;
  Index where = 0;      ///< the unknown whose row that is
  double square = 0.0;  ///< sum of (r_i over its tolerance)^2, what a line search decreases
  /// Largest |r_i| over its tolerance or what rounding may leave of it, of problems that know that.
  double over_rounding = std::numeric_limits<double>::infinity();
};

/// A system of equations at its current iterate.
class NonlinearProblem {
 public:
  virtual ~NonlinearProblem() = default;
  virtual Index size() const = 0;
  /// r at the current iterate, `size()` entries, and its norm: functions of the iterate alone.
  virtual ResidualNorm evaluate(Vector& r) = 0;
  /// dr/dx at the iterate last evaluated, on a pattern that never changes.
  virtual const SparseMatrix& tangent() = 0;
  /// Changes whenever the tangent jumps: with the step size, a scale, the state of a contact.
  virtual std::uint64_t tangent_kind() const { return 0; }
  /// The same without the states of contacts.
  virtual std::uint64_t tangent_family() const { return tangent_kind(); }
  /// dr/dx in the rows of contacts, in their present states; all else as tangent() gave it last, in the same family. A
  /// problem that cannot tell the two apart gives the whole tangent.
  virtual const SparseMatrix& tangent_of_states() { return tangent(); }
  /// x += factor dx.
  virtual void advance(const Vector& dx, double factor) = 0;
  /// A solve goes on though some iterations should have been enough: `solver` holds factors of the tangent. A problem
  /// that can tell with them which part of the residual no iterate can change leaves it out from here on, and returns
  /// true: the residual has to be evaluated again.
  virtual bool leave_out_unsolvable(LinearSolver& /*solver*/) { return false; }
};

struct NewtonOptions {
  int max_iterations = 25;
  /// A first guess whose worst residual is at most this needs no iteration, 0 to 1.
  double good_start = 1.0;
  /// Where the worst residual of the first guess is at least `poor_start`, that of another guess is tried, to which this
  /// change of the unknowns leads, and the better one taken; null: there is none.
  const Vector* other_start = nullptr;
  double poor_start = std::numeric_limits<double>::infinity();
  /// A residual that grows in one of the first steps is let pass: in contact problems it mostly means that a
  /// wrong first guess of the active set was left. NaN never passes.
  int full_steps = 5;
  /// From this iteration on, one that does not contract (`good_contraction`) ends the solve: in contact problems the active set is
  /// then not found by going on, but cycles.
  int patience = std::numeric_limits<int>::max();
  /// Goes on with the factors of an earlier tangent of the same kind, also of an earlier solve, as long as
  /// each step leaves at most `good_contraction` of the residual and a solve takes no more than
  /// `good_iterations`, those not counted after which states of contacts have changed. Where these have changed their rows
  /// alone are made anew, up to `most_state_changes` times in a solve.
  bool reuses_tangent = false;
  double good_contraction = 0.1;
  int good_iterations = 4;
  int most_state_changes = 8;
  /// After so many iterations problems are asked what part of the residual no iterate can change.
  int doubtful_iterations = 2;
  /// A residual at the level of rounding, ResidualNorm::over_rounding <= 1, of which a step leaves more than this part is
  /// solved as well; infinity: never.
  double stagnation = std::numeric_limits<double>::infinity();
};

struct NewtonReport {
  bool converged = false;
  bool stagnated = false;  ///< converged above the tolerance, at the level of rounding
  int iterations = 0;
  int line_searches = 0;
  ResidualNorm residual;
};

/// What is kept between solves with one linear solver: vectors, so that none is allocated, and what its
/// factors are of.
struct NewtonWorkspace {
  explicit NewtonWorkspace(Index size) : r(size), dx(size) {}
  Vector r, dx;
  bool has_tangent = false;  ///< the linear solver holds factors of a tangent of the kind and family
  std::uint64_t tangent_kind = 0;
  std::uint64_t tangent_family = 0;
};

/// Takes the better one of the first guesses and evaluates r there.
ResidualNorm choose_start(NonlinearProblem& problem, const NewtonOptions& options, Vector& r);

NewtonReport solve_newton(NonlinearProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                          NewtonWorkspace& work);

}  // namespace picus
