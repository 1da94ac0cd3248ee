#include <picus/error.hpp>
#include <picus/solvers/linear/sparse_rank.hpp>

#include <SuiteSparseQR.hpp>

#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// CHOLMOD's workspace and the results of SPQR.
struct Factors {
  Factors() { cholmod_l_start(&common); }
  ~Factors() {
    cholmod_l_free_sparse(&A, &common);
    cholmod_l_free_sparse(&R, &common);
    if (E != nullptr) cholmod_l_free(columns, sizeof(SuiteSparse_long), E, &common);
    cholmod_l_finish(&common);
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;

  cholmod_common common;
  cholmod_sparse* A = nullptr;
  cholmod_sparse* R = nullptr;
  SuiteSparse_long* E = nullptr;
  Index columns = 0;
};

}  // namespace

SparseRank::SparseRank(Index rows, Index columns, const std::vector<SparseEntry>& entries, double tolerance)
    : columns_(columns), entries_(entries) {
  if (columns == 0) return;
  Factors f;
  f.columns = columns;
  cholmod_triplet* triplet =
      cholmod_l_allocate_triplet(rows, columns, entries.size(), 0, CHOLMOD_REAL, &f.common);
  if (triplet == nullptr) throw SolverError("out of memory in the rank of the constraints");
  for (std::size_t k = 0; k < entries.size(); ++k) {
    static_cast<SuiteSparse_long*>(triplet->i)[k] = entries[k].row;
    static_cast<SuiteSparse_long*>(triplet->j)[k] = entries[k].column;
    static_cast<double*>(triplet->x)[k] = entries[k].value;
  }
  triplet->nnz = entries.size();
  f.A = cholmod_l_triplet_to_sparse(triplet, entries.size(), &f.common);
  cholmod_l_free_triplet(&triplet, &f.common);
  if (f.A == nullptr) throw SolverError("out of memory in the rank of the constraints");

  const SuiteSparse_long rank =
      SuiteSparseQR<double>(SPQR_ORDERING_DEFAULT, tolerance, columns, f.A, &f.R, &f.E, &f.common);
  if (rank < 0 || f.R == nullptr) throw SolverError("the rank of the constraints could not be found");
  rank_ = static_cast<Index>(rank);
  for (Index c = 0; c < columns; ++c) permutation_.push_back(f.E == nullptr ? c : static_cast<Index>(f.E[c]));
  R_.resize(columns);
  const auto* start = static_cast<const SuiteSparse_long*>(f.R->p);
  const auto* row = static_cast<const SuiteSparse_long*>(f.R->i);
  const auto* value = static_cast<const double*>(f.R->x);
  for (Index c = 0; c < columns; ++c) {
    for (SuiteSparse_long k = start[c]; k < start[c + 1]; ++k) {
      if (row[k] < rank) R_[c].push_back({static_cast<Index>(row[k]), c, value[k]});
    }
  }

  // R_1 z = -column of R_2 makes (z, 1) a null vector.
  for (Index c = rank_; c < columns; ++c) {
    Vector z = Vector::Zero(rank_);
    for (const SparseEntry& entry : R_[c]) z[entry.row] = -entry.value;
    solve_leading_triangle(z, false);
    Vector y = Vector::Zero(columns);
    for (Index i = 0; i < rank_; ++i) y[permutation_[i]] = z[i];
    y[permutation_[c]] = 1.0;
    null_space_.push_back(y / y.lpNorm<Eigen::Infinity>());
  }
}

void SparseRank::solve_leading_triangle(Vector& x, bool transposed) const {
  const auto diagonal = [&](Index c) {
    for (const SparseEntry& entry : R_[c]) {
      if (entry.row == c) return entry.value;
    }
    return std::numeric_limits<double>::quiet_NaN();
  };
  if (transposed) {
    for (Index c = 0; c < rank_; ++c) {
      for (const SparseEntry& entry : R_[c]) {
        if (entry.row != c) x[c] -= entry.value * x[entry.row];
      }
      x[c] /= diagonal(c);
    }
    return;
  }
  for (Index c = rank_ - 1; c >= 0; --c) {
    x[c] /= diagonal(c);
    for (const SparseEntry& entry : R_[c]) {
      if (entry.row != c) x[entry.row] -= entry.value * x[c];
    }
  }
}

// Seminormal equations R_1^T R_1 y = A_1^T b, applied twice to compensate for their squared condition number.
Vector SparseRank::orthogonal_part(Vector b) const {
  for (int pass = 0; pass < 2; ++pass) {
    Vector all = Vector::Zero(columns_);
    for (const SparseEntry& entry : entries_) all[entry.column] += entry.value * b[entry.row];
    Vector y(rank_);
    for (Index i = 0; i < rank_; ++i) y[i] = all[permutation_[i]];
    solve_leading_triangle(y, true);
    solve_leading_triangle(y, false);
    all.setZero();
    for (Index i = 0; i < rank_; ++i) all[permutation_[i]] = y[i];
    for (const SparseEntry& entry : entries_) b[entry.row] -= entry.value * all[entry.column];
  }
  return b;
}

}  // namespace picus::solvers
