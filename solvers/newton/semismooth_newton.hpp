#pragma once

/// Semismooth Newton method for r(x) = 0 with piecewise smooth r: the Jacobian is that of the piece in which the
/// iterate lies, an element of the generalised Jacobian at kinks. If the residual grows a line search is performed. At kinks
/// no factor may reduce it; then growth is accepted for some iterations; if the residual does not fall below that of
/// the best iterate within these, the solve returns to this iterate and ends (the watchdog technique of Chamberlain,
/// Powell, Lemarechal and Pedersen 1982).

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/types.hpp>

#include <limits>
#include <string>

namespace picus {

/// Measures of the residual of an iterate.
struct ResidualNorm {
  /// Largest |r_i| over its tolerance; solved if <= 1, never if NaN or infinite.
  double worst = 0.0;
  Index where = 0;      ///< the unknown of that row
  double square = 0.0;  ///< sum of (r_i over its tolerance)^2, the merit function of the line search
  /// Largest |r_i| over the sum of its tolerance and its rounding level, for problems that provide the latter.
  double over_rounding = std::numeric_limits<double>::infinity();
};

/// `2.3 times its tolerance` for messages, from ResidualNorm::worst; `not a number` where an operation has no result.
std::string times_tolerance(double worst);

/// A system of equations at its current iterate.
class NonlinearProblem {
 public:
  virtual ~NonlinearProblem() = default;
  virtual Index size() const = 0;
  /// r at the current iterate, `size()` entries, and its norm; both must depend on the iterate only.
  virtual ResidualNorm evaluate(Vector& r) = 0;
  /// dr/dx at the iterate last evaluated, with a pattern that never changes.
  virtual const SparseMatrix& tangent() = 0;
  /// A key that changes whenever the tangent changes discontinuously: with the step size, a scale, the state of a
  /// contact.
  virtual std::uint64_t tangent_kind() const { return 0; }
  /// The same, but independent of the states of contacts.
  virtual std::uint64_t tangent_family() const { return tangent_kind(); }
  /// dr/dx with the rows of contacts updated to their present states; all other entries are those of the last
  /// tangent(), of the same family. By default the full tangent is recomputed.
  virtual const SparseMatrix& tangent_with_updated_contacts() { return tangent(); }
  /// Whether the residual has kinks, with a state on each side: contacts.
  virtual bool has_states() const { return false; }
  /// Whether rows of contacts vary with the iterate although their states do not change, as where contacts
  /// slide in two directions, and tangent_with_updated_contacts() costs little.
  virtual bool has_sliding_contacts() const { return false; }
  /// A change dx of the unknowns towards the solution that costs less than a solve, from the tangent last computed and
  /// the residual r at the iterate last evaluated; false if there is none. Used where Gauss-Seidel sweeps converge.
  virtual bool predict(const Vector& /*r*/, Vector& /*dx*/) { return false; }
  /// x += factor dx.
  virtual void advance(const Vector& dx, double factor) = 0;
  /// Called if a solve has not converged after iterations_before_exclusion(); `solver` holds factors of the tangent. A
  /// problem that can determine from them the part of the residual that no iterate can change excludes it from then on
  /// and returns true: the residual must then be evaluated again.
  virtual bool exclude_unreachable_residual(LinearSolver& /*solver*/) { return false; }
  virtual int iterations_before_exclusion() const { return 2; }
  /// Called with each solution dx of the linearised equations: removes from it the contribution of the excluded part of
  /// the tangent. `solver` holds the factors from which dx was computed.
  virtual void leave_out_excluded_rows(LinearSolver& /*solver*/, Vector& /*dx*/) {}
};

struct NewtonOptions {
  int max_iterations = 25;
  /// An initial guess whose worst residual is at most this needs no iteration, 0 to 1.
  double guess_tolerance = 1.0;
  /// If the worst residual of the initial guess is at least `poor_guess_residual`, a second guess, obtained by this
  /// change of the unknowns, is also evaluated, and the better one is used; null: there is none.
  const Vector* other_guess = nullptr;
  double poor_guess_residual = std::numeric_limits<double>::infinity();
  /// Growth of the residual is accepted in this number of first steps: in contact problems it mostly means that a wrong
  /// initial guess of the active set has been left. NaN is never accepted.
  int full_steps = 5;
  /// Iterations after these first ones without a residual smaller than the best one since, after which the solve ends. Solves
  /// that converge need 8 at most (a rope that slides on a drum); with 4 its equilibria are not found.
  int watchdog = 10;
  /// After this number of iterations the first that does not contract (`good_contraction`) ends the solve: in contact
  /// problems the active set then cycles.
  int patience = std::numeric_limits<int>::max();
  /// Uses the factors of an earlier tangent of the same kind (modified Newton), including that of an earlier solve, as
  /// long as each step reduces the residual to at most `good_contraction` of it and a solve takes at most
  /// `good_iterations`, not counting iterations after which states of contacts have changed. If these have changed only
  /// their rows are refactorised, at most `max_state_changes` times per solve; so are, where Gauss-Seidel sweeps solve,
  /// the rows of contacts that slide if a step leaves more than `quick_contraction` of the residual.
  bool reuses_tangent = false;
  double good_contraction = 0.1;
  double quick_contraction = 0.01;
  int good_iterations = 4;
  int max_state_changes = 8;
  /// A residual at rounding level, ResidualNorm::over_rounding <= 1, also counts as solved if a step leaves more than
  /// this fraction of it; infinity: never.
  double stagnation = std::numeric_limits<double>::infinity();
};

struct NewtonReport {
  /// If not, the problem is at the iterate with the smallest ResidualNorm::square after the full steps.
  bool converged = false;
  bool stagnated = false;  ///< converged above the tolerance, at rounding level
  int iterations = 0;
  int line_searches = 0;
  ResidualNorm residual;
};

/// Data kept between solves with one linear solver: preallocated vectors, and which tangent its factors belong to.
struct NewtonWorkspace {
  explicit NewtonWorkspace(Index size) : r(size), dx(size), since_best(size) {}
  Vector r, dx;
  Vector since_best;         ///< change of the unknowns since the best iterate
  bool has_tangent = false;  ///< whether the linear solver holds factors of a tangent of this kind and family
  std::uint64_t tangent_kind = 0;
  std::uint64_t tangent_family = 0;
};

/// Chooses the better one of the two initial guesses and evaluates r there.
ResidualNorm choose_start(NonlinearProblem& problem, const NewtonOptions& options, Vector& r);

NewtonReport solve_newton(NonlinearProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                          NewtonWorkspace& work);

}  // namespace picus
