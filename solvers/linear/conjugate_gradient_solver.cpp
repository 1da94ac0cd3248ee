#include <picus/error.hpp>
#include <picus/solvers/linear/conjugate_gradient_solver.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace picus::solvers {
namespace {

/// Beyond this many sweeps it pays to compute a factor, which serves many matrices. Measured on blocks of hexahedra: a
/// triangular solve with the factor of 20 x 20 x 20 takes as long as 10 sweeps.
constexpr int many_sweeps = 40;
/// Beyond this many iterations with the factor of an earlier matrix it is renewed.
constexpr int many_with_factor = 5;
/// Rounding or an indefinite matrix: the direct solver takes over.
constexpr int most_iterations = 500;
/// Columns whose products are worth handing to another thread.
constexpr std::size_t multiply_grain = 256;
/// Values whose copies are.
constexpr std::size_t value_grain = 1 << 15;

}  // namespace

void ConjugateGradientSolver::analyze(const SparseMatrix& matrix, Index) {
  matrix_ = matrix;
  diagonal_place_.clear();
  for (Index c = 0; c < matrix.size; ++c) diagonal_place_.push_back(matrix.find(c, c));
  schedule_.build(threads_, matrix, diagonal_place_);
  for (Vector* vector : {&diagonal_, &x_, &r_, &z_, &p_, &q_}) vector->setZero(matrix.size);
  is_analyzed_ = has_factor_ = wants_factor_ = factor_is_exact_ = false;
}

bool ConjugateGradientSolver::factorize(const SparseMatrix& matrix) {
  if (!all_finite(matrix.values)) return false;
  const bool is_known = diagonal_[0] != 0 && std::memcmp(matrix_.values.data(), matrix.values.data(),
                                                         matrix.values.size() * sizeof(double)) == 0;
  if (is_known && !wants_factor_) {
    ++statistics_.reuses;
    return true;
  }
  for_parts(threads_, matrix.values.size(), value_grain, [&](std::size_t first, std::size_t last) {
    std::copy_n(matrix.values.data() + first, last - first, matrix_.values.data() + first);
  });
  factor_is_exact_ = false;
  for (Index c = 0; c < matrix.size; ++c) {
    diagonal_[c] = matrix.values[diagonal_place_[c]];
  }
  if (wants_factor_ || !(diagonal_.minCoeff() > 0)) return factorize_directly();
  ++statistics_.refactorizations;
  return true;
}

bool ConjugateGradientSolver::factorize_directly() {
  if (!is_analyzed_) direct_.analyze(matrix_, 0);
  is_analyzed_ = true;
  ++statistics_.factorizations;
  has_factor_ = factor_is_exact_ = direct_.factorize(matrix_);
  wants_factor_ = false;
  return has_factor_;
}

void ConjugateGradientSolver::solve(std::span<double> b) {
  ++statistics_.solves;
  if (factor_is_exact_) {
    direct_.solve(b);
    return;
  }
  const Eigen::Map<Vector> right_side(b.data(), matrix_.size);
  if (has_factor_ ? solve_with_factor(right_side) : solve_with_sweeps(right_side)) return;
  if (factorize_directly()) {
    direct_.solve(b);
  } else {
    std::fill(b.begin(), b.end(), std::nan(""));
  }
}

/// Conjugate gradients on (D + L)^-1 A (D + L^T)^-1 y = (D + L)^-1 b, preconditioned by D; x = (D + L^T)^-1 y.
bool ConjugateGradientSolver::solve_with_sweeps(Eigen::Map<Vector> b) {
  r_ = b;
  sweep_forward(r_);
  x_.setZero();
  z_ = diagonal_.cwiseProduct(r_);
  double product = r_.dot(z_);
  const double goal = accuracy_ * accuracy_ * product;
  int iterations = 0;
  p_ = z_;
  while (!(product <= goal)) {
    q_ = p_;
    sweep_backward(q_);
    z_ = p_ - diagonal_.cwiseProduct(q_);
    sweep_forward(z_);
    q_ += z_;
    const double curvature = p_.dot(q_);
    if (!(curvature > 0) || ++iterations > most_iterations) return false;
    const double length = product / curvature;
    x_ += length * p_;
    r_ -= length * q_;
    z_ = diagonal_.cwiseProduct(r_);
    const double next = r_.dot(z_);
    p_ = z_ + next / product * p_;
    product = next;
  }
  sweep_backward(x_);
  b = x_;
  statistics_.iterations += iterations;
  wants_factor_ = iterations > many_sweeps;
  return true;
}

bool ConjugateGradientSolver::solve_with_factor(Eigen::Map<Vector> b) {
  const auto precondition = [&] {
    z_ = r_;
    direct_.solve(std::span(z_.data(), z_.size()));
    return r_.dot(z_);
  };
  r_ = b;
  x_.setZero();
  double product = precondition();
  const double goal = accuracy_ * accuracy_ * product;
  int iterations = 0;
  p_ = z_;
  while (!(product <= goal)) {
    multiply(p_, q_);
    const double curvature = p_.dot(q_);
    if (!(curvature > 0) || !(product > 0) || ++iterations > most_iterations) return false;
    const double length = product / curvature;
    x_ += length * p_;
    r_ -= length * q_;
    const double next = precondition();
    p_ = z_ + next / product * p_;
    product = next;
  }
  b = x_;
  statistics_.iterations += iterations;
  wants_factor_ = iterations > many_with_factor;
  return true;
}

// Columns are the rows of a symmetric matrix, which makes all three products sums over one column.

void ConjugateGradientSolver::multiply(const Vector& x, Vector& y) const {
  const Index* row = matrix_.row.data();
  const double* value = matrix_.values.data();
  const Index* start = matrix_.column_start.data();
  for_parts(threads_, matrix_.size, multiply_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      double sum = 0;
      for (Index k = start[c]; k < start[c + 1]; ++k) sum += value[k] * x.data()[row[k]];
      y.data()[c] = sum;
    }
  });
}

/// x := (D + L)^-1 x.
void ConjugateGradientSolver::sweep_forward(Vector& x) const {
  const Index* row = matrix_.row.data();
  const double* value = matrix_.values.data();
  double* entries = x.data();
  const auto sweep = [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      const Index end = diagonal_place_[c];
      double sum = 0;
      for (Index k = matrix_.column_start[c]; k < end; ++k) sum += value[k] * entries[row[k]];
      entries[c] = (entries[c] - sum) / value[end];
    }
  };
  schedule_.is_shared() ? schedule_.forward(sweep) : sweep(0, matrix_.size);
}

/// x := (D + L^T)^-1 x. The sums go backward too, so that only their end waits for the entry before.
void ConjugateGradientSolver::sweep_backward(Vector& x) const {
  const Index* row = matrix_.row.data();
  const double* value = matrix_.values.data();
  double* entries = x.data();
  const auto sweep = [&](Index first, Index last) {
    for (Index c = last; c-- > first;) {
      const Index end = matrix_.column_start[c + 1];
      const Index diagonal = diagonal_place_[c];
      double sum = 0;
      for (Index k = end; --k > diagonal;) sum += value[k] * entries[row[k]];
      entries[c] = (entries[c] - sum) / value[diagonal];
    }
  };
  schedule_.is_shared() ? schedule_.backward(sweep) : sweep(0, matrix_.size);
}

}  // namespace picus::solvers
