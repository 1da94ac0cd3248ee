#include <picus/solvers/linear/klu_solver.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

namespace picus {
namespace {

/// Above this many nonzeros a column, dense blocks are large enough for a multifrontal method to win.
constexpr double entries_per_column_limit = 40;
constexpr Index small_size = 500;

LinearSolverKind choose(const SparseMatrix& pattern) {
  const double entries = static_cast<double>(pattern.row.size());
  const bool is_sparse = entries < entries_per_column_limit * static_cast<double>(pattern.size);
  return pattern.size <= small_size || is_sparse ? LinearSolverKind::klu : LinearSolverKind::umfpack;
}

}  // namespace

bool all_finite(std::span<const double> values) {
  double probe = 0;
  for (const double value : values) probe += 0.0 * value;  // NaN for any value that is not finite
  return probe == 0.0;
}

std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind, const SparseMatrix& pattern) {
  if (kind == LinearSolverKind::automatic) kind = choose(pattern);
  if (kind == LinearSolverKind::klu) return std::make_unique<KluSolver>();
  return std::make_unique<UmfpackSolver>();
}

}  // namespace picus
