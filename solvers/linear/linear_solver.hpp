#pragma once

/// Solvers of sparse linear systems behind one small interface: analyse the pattern once a run, factorise
/// whenever the values change, solve.

#include <picus/sparse_matrix.hpp>
#include <picus/threads.hpp>
#include <picus/types.hpp>

#include <memory>
#include <string_view>

namespace picus {

/// Counts over a run.
struct LinearSolverStatistics {
  std::int64_t factorizations = 0;    ///< numeric factorisations with a new choice of pivots
  std::int64_t refactorizations = 0;  ///< numeric factorisations on the pivots of an earlier one
  std::int64_t reuses = 0;            ///< equal matrices: the last factors served again
  std::int64_t solves = 0;            ///< right-hand sides
  std::int64_t iterations = 0;        ///< of iterative solvers
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// For messages and measurements: "KLU".
  virtual std::string_view name() const = 0;
  /// Orders and analyses the pattern. The `trailing` unknowns at the end are multipliers of contacts. Direct solvers do
  /// better to eliminate them last: their rows change between states (open or closed) in which only their Schur
  /// complement is sure to have good pivots. Throws SolverError when it finds the pattern structurally singular (KLU, no
  /// unknowns trailing); otherwise factorize() returns false.
  virtual void analyze(const SparseMatrix& matrix, Index trailing = 0) = 0;
  /// Factorises the values on the analysed pattern; false when a pivot is zero or a value not finite.
  virtual bool factorize(const SparseMatrix& matrix) = 0;
  /// The same for a matrix that differs from the last one in rows and columns of trailing unknowns alone.
  virtual bool factorize_trailing(const SparseMatrix& matrix) { return factorize(matrix); }
  /// Overwrites b with the solution of A x = b: to rounding, or to the accuracy of an iterative solver.
  virtual void solve(std::span<double> b) = 0;
  /// The same for right-hand sides that stand one after another.
  virtual void solve_all(std::span<double> b, Index count) {
    const std::size_t size = b.size() / static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) solve(b.subspan(i * size, size));
  }
  /// Counts since it was made.
  virtual const LinearSolverStatistics& statistics() const = 0;
};

/// CHOLMOD and conjugate gradients serve the sub-problems whose matrices are symmetric; the others take what
/// `automatic` takes.
enum class LinearSolverKind : std::uint8_t {
  automatic,            ///< by size, sparsity and symmetry
  klu,                  ///< sparse LU for small or very sparse matrices
  umfpack,              ///< multifrontal LU
  cholmod,              ///< Cholesky, for symmetric matrices
  conjugate_gradients,  ///< iterative, for large symmetric matrices
  gmres,                ///< iterative, for large matrices with contacts
};

/// Whether no value is NaN or infinite; an infinite one may hide in factors that are finite.
bool all_finite(std::span<const double> values);

/// `automatic` takes KLU for small or very sparse matrices, UMFPACK for others; where values are always
/// symmetric and mostly positive definite, CHOLMOD instead of UMFPACK, and conjugate gradients for large
/// ones; GMRES instead of UMFPACK where the last `contact_rows` unknowns are multipliers of contacts; and where these are
/// many, UMFPACK without the open ones instead of KLU. `threads` share the loops of iterative solvers and must outlive them; null:
/// there are none.
std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind, const SparseMatrix& pattern,
                                                 bool is_symmetric = false, Index contact_rows = 0,
                                                 const Threads* threads = nullptr);

}  // namespace picus
