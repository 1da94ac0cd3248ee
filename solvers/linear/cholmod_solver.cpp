#include <picus/error.hpp>
#include <picus/solvers/linear/cholmod_solver.hpp>
#include <picus/solvers/linear/dense_threads.hpp>
#include <picus/solvers/linear/umfpack_solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace picus::solvers {

CholmodSolver::CholmodSolver() {
  cholmod_start(&common_);
  common_.print = 0;
  common_.supernodal = CHOLMOD_AUTO;
  common_.final_ll = 1;
}

CholmodSolver::~CholmodSolver() {
  release();
  cholmod_finish(&common_);
}

void CholmodSolver::release() {
  cholmod_free_factor(&factor_, &common_);
  cholmod_free_dense(&solution_, &common_);
  cholmod_free_dense(&work_1_, &common_);
  cholmod_free_dense(&work_2_, &common_);
}

cholmod_sparse CholmodSolver::view(const SparseMatrix& matrix) const {
  cholmod_sparse result{};
  result.nrow = result.ncol = matrix.size;
  result.nzmax = matrix.row.size();
  result.p = const_cast<Index*>(matrix.column_start.data());  // CHOLMOD's interface predates const
  result.i = const_cast<Index*>(matrix.row.data());
  result.x = const_cast<double*>(matrix.values.data());
  result.stype = -1;
  result.itype = CHOLMOD_INT;
  result.xtype = CHOLMOD_REAL;
  result.dtype = CHOLMOD_DOUBLE;
  result.sorted = 1;
  result.packed = 1;
  return result;
}

void CholmodSolver::analyze(const SparseMatrix& matrix, Index) {
  release();
  factored_.clear();
  factored_.reserve(matrix.values.size());
  pattern_ = matrix;
  lu_.reset();
  cholmod_sparse lower = view(matrix);
  factor_ = cholmod_analyze(&lower, &common_);
  if (factor_ == nullptr) {
    throw SolverError(fmt::format("CHOLMOD cannot analyse the matrix (status {})", common_.status));
  }
}

bool CholmodSolver::factorize(const SparseMatrix& matrix) {
  if (factored_.size() == matrix.values.size() &&
      std::memcmp(factored_.data(), matrix.values.data(), factored_.size() * sizeof(double)) == 0) {
    ++statistics_.reuses;
    return true;
  }
  factored_.clear();
  if (!all_finite(matrix.values)) return false;
  const OneDenseThread one_dense_thread;
  cholmod_sparse lower = view(matrix);
  cholmod_factorize(&lower, factor_, &common_);
  ++statistics_.factorizations;
  by_lu_ = common_.status != CHOLMOD_OK;
  if (by_lu_ && !factorize_by_lu(matrix)) return false;
  factored_.assign(matrix.values.begin(), matrix.values.end());
  return true;
}

bool CholmodSolver::factorize_by_lu(const SparseMatrix& matrix) {
  if (!lu_) {
    lu_ = std::make_unique<UmfpackSolver>();
    lu_->analyze(pattern_);
  }
  return lu_->factorize(matrix);
}

void CholmodSolver::solve_all(std::span<double> b, Index count) {
  statistics_.solves += count;
  if (by_lu_) {
    lu_->solve_all(b, count);
    return;
  }
  const OneDenseThread one_dense_thread;
  cholmod_dense right_side{};
  right_side.nzmax = b.size();
  right_side.nrow = right_side.d = b.size() / count;
  right_side.ncol = count;
  right_side.x = b.data();
  right_side.xtype = CHOLMOD_REAL;
  right_side.dtype = CHOLMOD_DOUBLE;
  cholmod_solve2(CHOLMOD_A, factor_, &right_side, nullptr, &solution_, nullptr, &work_1_, &work_2_, &common_);
  std::copy_n(static_cast<const double*>(solution_->x), b.size(), b.data());
}

}  // namespace picus::solvers
