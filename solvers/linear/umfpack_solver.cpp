#include <picus/error.hpp>
#include <picus/solvers/linear/dense_threads.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace picus::solvers {

UmfpackSolver::UmfpackSolver(int refinements) {
  umfpack_di_defaults(control_.data());
  control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
  control_[UMFPACK_IRSTEP] = refinements;
}

UmfpackSolver::~UmfpackSolver() {
  release_numeric();
  if (symbolic_ != nullptr) umfpack_di_free_symbolic(&symbolic_);
}

void UmfpackSolver::release_numeric() {
  if (numeric_ != nullptr) umfpack_di_free_numeric(&numeric_);
}

void UmfpackSolver::analyze(const SparseMatrix& matrix, Index) {
  release_numeric();
  if (symbolic_ != nullptr) umfpack_di_free_symbolic(&symbolic_);
  factored_ = matrix;
  solution_.resize(matrix.size);
  integer_work_.resize(matrix.size);
  work_.resize(std::size_t{5} * matrix.size);
  const int status = umfpack_di_symbolic(matrix.size, matrix.size, matrix.column_start.data(),
                                         matrix.row.data(), nullptr, &symbolic_, control_.data(), nullptr);
  if (status != UMFPACK_OK)
    throw SolverError(fmt::format("UMFPACK cannot analyse the matrix (status {})", status));
}

bool UmfpackSolver::factorize(const SparseMatrix& matrix) {
  if (numeric_ != nullptr && std::memcmp(factored_.values.data(), matrix.values.data(),
                                         matrix.values.size() * sizeof(double)) == 0) {
    ++statistics_.reuses;
    return true;
  }
  if (!all_finite(matrix.values)) return false;
  std::copy(matrix.values.begin(), matrix.values.end(), factored_.values.begin());
  release_numeric();
  const OneDenseThread one_dense_thread;
  const int status =
      umfpack_di_numeric(factored_.column_start.data(), factored_.row.data(), factored_.values.data(),
                         symbolic_, &numeric_, control_.data(), nullptr);
  ++statistics_.factorizations;
  if (status == UMFPACK_OK) return true;
  release_numeric();
  return false;
}

void UmfpackSolver::solve(std::span<double> b) {
  solve(b, UMFPACK_A);
}

void UmfpackSolver::solve_transposed(std::span<double> b) {
  solve(b, UMFPACK_Aat);
}

void UmfpackSolver::solve(std::span<double> b, int which) {
  ++statistics_.solves;
  const OneDenseThread one_dense_thread;
  umfpack_di_wsolve(which, factored_.column_start.data(), factored_.row.data(), factored_.values.data(),
                    solution_.data(), b.data(), numeric_, control_.data(), nullptr, integer_work_.data(),
                    work_.data());
  std::copy(solution_.begin(), solution_.end(), b.begin());
}

}  // namespace picus::solvers
