#pragma once

/// A common interface of solvers for sparse linear systems: analyse the pattern once per run, factorise whenever the
/// values change, solve.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <memory>
#include <string_view>

namespace picus {

/// Counts over a run.
struct LinearSolverStatistics {
  std::int64_t factorizations = 0;    ///< numeric factorisations with a new choice of pivots
  std::int64_t refactorizations = 0;  ///< numeric factorisations with the pivots of an earlier one
  std::int64_t reuses = 0;            ///< factorisations skipped because the matrix was unchanged
  std::int64_t solves = 0;            ///< right-hand sides
  std::int64_t iterations = 0;        ///< iterations of iterative solvers
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Name for messages and measurements: "KLU".
  virtual std::string_view name() const = 0;
  /// Orders and analyses the pattern. The last `trailing` unknowns are multipliers of contacts. Direct solvers should
  /// eliminate them last: their rows change between open and closed states, in which only their Schur complement is
  /// certain to have good pivots. Throws SolverError if the pattern is found to be structurally singular (KLU, no
  /// trailing unknowns); otherwise factorize() returns false.
  virtual void analyze(const SparseMatrix& matrix, Index trailing = 0) = 0;
  /// Factorises a matrix with the analysed pattern; false if a pivot is zero or a value not finite.
  virtual bool factorize(const SparseMatrix& matrix) = 0;
  /// The same for a matrix that differs from the last one only in rows and columns of trailing unknowns.
  virtual bool factorize_trailing(const SparseMatrix& matrix) { return factorize(matrix); }
  /// Overwrites b with the solution of A x = b, accurate to rounding or to the accuracy of an iterative solver.
  virtual void solve(std::span<double> b) = 0;
  /// Relative accuracy of the next solution alone, where a solver iterates, instead of that of its construction.
  virtual void set_accuracy(double /*accuracy*/) {}
  /// Whether the matrix last factorised is solved by Gauss-Seidel sweeps, which converge where the mass dominates.
  virtual bool sweeps() const { return false; }
  /// solve() for `count` right-hand sides stored one after another.
  virtual void solve_all(std::span<double> b, Index count) {
    const std::size_t size = b.size() / count;
    for (Index i = 0; i < count; ++i) solve(b.subspan(i * size, size));
  }
  /// Counts since its construction.
  virtual const LinearSolverStatistics& statistics() const = 0;
};

/// The linear solver of the sub-problems. CHOLMOD and conjugate gradients are used for sub-problems with symmetric
/// matrices only; for the others these choices mean `automatic`.
enum class LinearSolverKind : std::uint8_t {
  automatic,            ///< by size, sparsity and symmetry
  klu,                  ///< sparse LU for small or very sparse matrices
  umfpack,              ///< multifrontal LU
  cholmod,              ///< Cholesky, for symmetric matrices
  conjugate_gradients,  ///< iterative, for large symmetric matrices
  gmres,                ///< iterative, for large matrices with contacts
};

/// Whether no value is NaN or infinite; factors may be finite although a value is infinite.
bool all_finite(std::span<const double> values);

/// Creates a linear solver. `automatic` selects KLU for small or very sparse matrices, UMFPACK for others; where values
/// are always symmetric and mostly positive definite, CHOLMOD instead of UMFPACK, and conjugate gradients for large
/// ones; GMRES instead of UMFPACK where the last `contact_rows` unknowns are multipliers of contacts; and UMFPACK
/// without the open contacts instead of KLU if there are many of these, and instead of GMRES if they are more than half
/// of the unknowns. `threads` execute the loops of iterative solvers in parallel and must outlive them; null:
/// single-threaded. Solvers store lists that are equal to others of `patterns` once; null: they do not.
std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind, const SparseMatrix& pattern,
                                                 bool is_symmetric = false, Index contact_rows = 0,
                                                 const Threads* threads = nullptr,
                                                 PatternPool* patterns = nullptr);

}  // namespace picus
