#include <picus/solvers/linear/cholmod_solver.hpp>
#include <picus/solvers/linear/conjugate_gradient_solver.hpp>
#include <picus/solvers/linear/gmres_solver.hpp>
#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/linear/open_contact_elimination.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <array>

namespace picus {

using solvers::CholmodSolver;
using solvers::ConjugateGradientSolver;
using solvers::GmresSolver;
using solvers::KluSolver;
using solvers::OpenContactElimination;
using solvers::UmfpackSolver;

namespace {

/// Above this many nonzeros per column, dense blocks are large enough for a multifrontal method to be faster.
constexpr double entries_per_column_limit = 40;
constexpr Index small_size = 500;

/// From this size on iterative solvers are faster for a block of solids.
constexpr Index large_size = 3000;

/// From this number of contact rows on, most of which are open, a new analysis of the closed ones costs less than a
/// factorisation of all (spheres in a box, all pairs: break-even between 16 spheres, 600 rows, and 30, 1755 rows).
constexpr Index many_contact_rows = 1000;

LinearSolverKind choose(const SparseMatrix& pattern, bool is_symmetric, Index contact_rows) {
  const auto entries = static_cast<double>(pattern.row.size());
  const bool is_sparse = entries < entries_per_column_limit * static_cast<double>(pattern.size);
  if (pattern.size <= small_size || is_sparse) return LinearSolverKind::klu;
  if (!is_symmetric) return contact_rows > 0 ? LinearSolverKind::gmres : LinearSolverKind::umfpack;
  return pattern.size < large_size ? LinearSolverKind::cholmod : LinearSolverKind::conjugate_gradients;
}

}  // namespace

bool all_finite(std::span<const double> values) {
  // 0 times a value is NaN unless it is finite. Four partial sums, so that additions do not depend on each other.
  std::array<double, 4> probe{};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) probe[k] += 0.0 * values[i + k];
  }
  for (; i < values.size(); ++i) probe[0] += 0.0 * values[i];
  return probe[0] + probe[1] + probe[2] + probe[3] == 0.0;
}

std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind, const SparseMatrix& pattern,
                                                 bool is_symmetric, Index contact_rows,
                                                 const Threads* threads, PatternPool* patterns) {
  const bool is_automatic = kind == LinearSolverKind::automatic;
  if (is_automatic) kind = choose(pattern, is_symmetric, contact_rows);
  // If KLU is not chosen: mostly contacts, between all pairs of a few bodies; rows of bodies are dense, and most
  // contacts are open.
  const bool is_of_contacts =
      kind == LinearSolverKind::klu ? contact_rows >= many_contact_rows : 2 * contact_rows > pattern.size;
  if (is_automatic && is_of_contacts) return std::make_unique<OpenContactElimination>();
  const bool needs_symmetry =
      kind == LinearSolverKind::cholmod || kind == LinearSolverKind::conjugate_gradients;
  if (needs_symmetry && !is_symmetric) kind = choose(pattern, false, contact_rows);
  switch (kind) {
    case LinearSolverKind::klu:
      return std::make_unique<KluSolver>();
    case LinearSolverKind::cholmod:
      return std::make_unique<CholmodSolver>();
    case LinearSolverKind::conjugate_gradients:
      return std::make_unique<ConjugateGradientSolver>(3e-3, threads);
    case LinearSolverKind::gmres:
      return std::make_unique<GmresSolver>(1e-3, threads, patterns);
    default:
      return std::make_unique<UmfpackSolver>();
  }
}

}  // namespace picus
