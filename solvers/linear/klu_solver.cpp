#include <picus/error.hpp>
#include <picus/solvers/linear/klu_solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <camd.h>
#include <ccolamd.h>
#include <cmath>
#include <cstring>
#include <limits>

namespace picus::solvers {
namespace {

/// A reciprocal pivot growth below this means that the reused pivots lose more than half of the digits.
constexpr double harmless_growth = 1e-8;

/// Rows are scaled to a largest entry of 1, so that entries grow only if a pivot has become small. The growth is
/// checked when the smallest pivot has decreased by this factor since the pivots were chosen.
constexpr double suspicious_fall = 1e-3;

/// Up to this size both orderings are tried. (The cost of a bad one grows with the square of the size.)
constexpr Index largest_for_both = 1000;

/// Trailing unknowns are eliminated last as long as their dense Schur complement is small.
constexpr Index max_trailing = 64;

/// KLU's interface predates const.
Index* without_const(const IndexList& list) {
  return const_cast<Index*>(list.data());
}
double* without_const(const std::vector<double>& values) {
  return const_cast<double*>(values.data());
}

/// Whether a diagonal entry is too small, relative to its column, to be used as pivot.
bool has_weak_diagonal(const SparseMatrix& matrix, double pivot_tolerance) {
  for (Index c = 0; c < matrix.size; ++c) {
    double largest = 0;
    double diagonal = 0;
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const double value = std::abs(matrix.values[k]);
      largest = std::max(largest, value);
      if (matrix.row[k] == c) diagonal = value;
    }
    if (diagonal < pivot_tolerance * largest) return true;
  }
  return false;
}

/// A fill-reducing order in which the `trailing` unknowns come last.
std::vector<Index> order_with_trailing(const SparseMatrix& matrix, Index trailing, KluOrdering ordering) {
  std::vector<Index> start(matrix.column_start.begin(), matrix.column_start.end());
  std::vector<Index> order(matrix.size);
  std::vector<Index> group(matrix.size, 0);
  std::fill(group.end() - trailing, group.end(), 1);
  if (ordering == KluOrdering::symmetric) {
    std::vector<Index> row(matrix.row.begin(), matrix.row.end());
    camd_order(matrix.size, start.data(), row.data(), order.data(), nullptr, nullptr, group.data());
    return order;
  }
  const auto entries = count_of(matrix.row);
  std::vector<Index> work(ccolamd_recommended(entries, matrix.size, matrix.size));
  std::copy(matrix.row.begin(), matrix.row.end(), work.begin());
  std::array<Index, CCOLAMD_STATS> unused{};
  ccolamd(matrix.size, matrix.size, count_of(work), work.data(), start.data(), nullptr, unused.data(),
          group.data());
  std::copy(start.begin(), start.end() - 1,
            order.begin());  // CCOLAMD returns the order in the column pointers
  return order;
}

}  // namespace

klu_symbolic* analyze_for_klu(const SparseMatrix& matrix, Index trailing, KluOrdering ordering,
                              klu_common& common) {
  Index* const start = without_const(matrix.column_start);
  Index* const row = without_const(matrix.row);
  if (trailing == 0 || trailing > max_trailing) {
    common.btf = 1;
    common.ordering = ordering == KluOrdering::symmetric ? 0 : 1;
    return klu_analyze(matrix.size, start, row, &common);
  }
  common.btf = 0;  // a matrix with a full diagonal is structurally nonsingular
  std::vector<Index> order = order_with_trailing(matrix, trailing, ordering);
  return klu_analyze_given(matrix.size, start, row, order.data(), order.data(), &common);
}

KluSolver::KluSolver(std::optional<KluOrdering> ordering) : forced_(ordering) {
  klu_defaults(&common_);
  common_.initmem = 2;  // relative to the entries of the matrix: sufficient for sparse models, 10 by default
}

KluSolver::~KluSolver() {
  release();
}

void KluSolver::release() {
  if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
  if (symbolic_ != nullptr) klu_free_symbolic(&symbolic_, &common_);
}

void KluSolver::analyze(const SparseMatrix& matrix, Index trailing) {
  release();
  column_start_ = matrix.column_start;
  row_ = matrix.row;
  factored_.clear();
  factored_.reserve(matrix.values.size());
  trailing_ = trailing;
  ordering_is_chosen_ = false;
  symbolic_ = analyze_for_klu(matrix, trailing, KluOrdering::symmetric, common_);
  if (symbolic_ == nullptr)
    throw SolverError(fmt::format("KLU cannot analyse the matrix (status {})", common_.status));
  if (common_.btf != 0 && symbolic_->structural_rank < matrix.size) {
    throw SolverError(fmt::format("the matrix is structurally singular: rank {} of {}",
                                  symbolic_->structural_rank, matrix.size));
  }
}

void KluSolver::set_ordering(KluOrdering ordering, const SparseMatrix& matrix) {
  release();
  symbolic_ = analyze_for_klu(matrix, trailing_, ordering, common_);
  if (symbolic_ == nullptr)
    throw SolverError(fmt::format("KLU cannot analyse the matrix (status {})", common_.status));
}

/// Number of nonzeros of both factors, infinity for a singular matrix. Keeps the factors.
double KluSolver::fill_of(KluOrdering ordering, const SparseMatrix& matrix) {
  set_ordering(ordering, matrix);
  numeric_ = klu_factor(without_const(column_start_), without_const(row_), without_const(matrix.values),
                        symbolic_, &common_);
  if (numeric_ == nullptr) return std::numeric_limits<double>::infinity();
  return static_cast<double>(numeric_->lnz) + static_cast<double>(numeric_->unz);
}

void KluSolver::choose_ordering(const SparseMatrix& matrix) {
  ordering_is_chosen_ = true;
  if (forced_) {
    set_ordering(*forced_, matrix);
    return;
  }
  if (!has_weak_diagonal(matrix, common_.tol)) return;
  bool takes_columns = matrix.size > largest_for_both;
  if (!takes_columns) {
    const double by_columns = fill_of(KluOrdering::column, matrix);
    takes_columns = by_columns < fill_of(KluOrdering::symmetric, matrix);
  }
  set_ordering(takes_columns ? KluOrdering::column : KluOrdering::symmetric, matrix);
}

bool KluSolver::refactorize(const SparseMatrix& matrix) {
  if (klu_refactor(without_const(column_start_), without_const(row_), without_const(matrix.values), symbolic_,
                   numeric_, &common_) == 0)
    return false;
  klu_rcond(symbolic_, numeric_, &common_);
  if (common_.rcond > suspicious_fall * chosen_rcond_) return true;
  klu_rgrowth(without_const(column_start_), without_const(row_), without_const(matrix.values), symbolic_,
              numeric_, &common_);
  if (!(common_.rgrowth > harmless_growth)) return false;
  chosen_rcond_ = common_.rcond;
  return true;
}

bool KluSolver::factorize(const SparseMatrix& matrix) {
  if (numeric_ != nullptr && factored_.size() == matrix.values.size() &&
      std::memcmp(factored_.data(), matrix.values.data(), factored_.size() * sizeof(double)) == 0) {
    ++statistics_.reuses;
    return true;
  }
  if (!all_finite(matrix.values)) return false;
  factored_.assign(matrix.values.begin(), matrix.values.end());
  if (numeric_ != nullptr) {
    if (refactorize(matrix)) {
      ++statistics_.refactorizations;
      return true;
    }
    klu_free_numeric(&numeric_, &common_);
  }
  if (!ordering_is_chosen_) choose_ordering(matrix);
  numeric_ = klu_factor(without_const(column_start_), without_const(row_), without_const(matrix.values),
                        symbolic_, &common_);
  ++statistics_.factorizations;
  if (numeric_ == nullptr) {
    factored_.clear();
    return false;
  }
  klu_rcond(symbolic_, numeric_, &common_);
  chosen_rcond_ = common_.rcond;
  return true;
}

void KluSolver::solve(std::span<double> b) {
  ++statistics_.solves;
  klu_solve(symbolic_, numeric_, symbolic_->n, 1, b.data(), &common_);
}

}  // namespace picus::solvers
