#include <picus/error.hpp>
#include <picus/solvers/linear/conjugate_gradient_solver.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace picus {
namespace {

/// Beyond this many iterations with the diagonal, a factor that serves many matrices is worth its price.
/// Measured on blocks of hexahedra: a triangular solve with the factor of 20 x 20 x 20 takes as long as 15
/// iterations.
constexpr int many_with_diagonal = 60;
/// Beyond this many with the factor of an earlier matrix it is renewed.
constexpr int many_with_factor = 10;
/// Rounding or an indefinite matrix: the direct solver takes over.
constexpr int most_iterations = 500;

}  // namespace

void ConjugateGradientSolver::analyze(const SparseMatrix& matrix, Index) {
  matrix_ = matrix;
  for (Vector* vector : {&inverse_diagonal_, &x_, &r_, &z_, &p_, &q_}) vector->setZero(matrix.size);
  is_analyzed_ = has_factor_ = wants_factor_ = factor_is_exact_ = false;
}

bool ConjugateGradientSolver::factorize(const SparseMatrix& matrix) {
  if (!all_finite(matrix.values)) return false;
  if (!wants_factor_ &&
      std::memcmp(matrix_.values.data(), matrix.values.data(), matrix.values.size() * sizeof(double)) == 0 &&
      inverse_diagonal_[0] != 0) {
    ++statistics_.reuses;
    return true;
  }
  std::copy(matrix.values.begin(), matrix.values.end(), matrix_.values.begin());
  factor_is_exact_ = false;
  bool is_positive = true;
  for (Index c = 0; c < matrix.size; ++c) {
    const double diagonal = matrix.values[static_cast<std::size_t>(matrix.find(c, c))];
    is_positive = is_positive && diagonal > 0;
    inverse_diagonal_[c] = 1.0 / diagonal;
  }
  if (is_positive && !wants_factor_) {
    ++statistics_.refactorizations;
    return true;
  }
  return factorize_directly();
}

bool ConjugateGradientSolver::factorize_directly() {
  if (!is_analyzed_) direct_.analyze(matrix_, 0);
  is_analyzed_ = true;
  ++statistics_.factorizations;
  has_factor_ = factor_is_exact_ = direct_.factorize(matrix_);
  wants_factor_ = false;
  return has_factor_;
}

/// y = A x by columns, which are the rows of a symmetric matrix.
void ConjugateGradientSolver::multiply(const Vector& x, Vector& y) const {
  const Index* row = matrix_.row.data();
  const double* value = matrix_.values.data();
  const double* entries = x.data();
  for (Index c = 0; c < matrix_.size; ++c) {
    double sum = 0;
    for (Index k = matrix_.column_start[static_cast<std::size_t>(c)];
         k < matrix_.column_start[static_cast<std::size_t>(c) + 1]; ++k) {
      sum += value[k] * entries[row[k]];
    }
    y[c] = sum;
  }
}

void ConjugateGradientSolver::precondition() {
  if (has_factor_) {
    z_ = r_;
    direct_.solve({z_.data(), static_cast<std::size_t>(z_.size())});
  } else {
    z_ = r_.cwiseProduct(inverse_diagonal_);
  }
}

void ConjugateGradientSolver::solve(std::span<double> b) {
  ++statistics_.solves;
  if (factor_is_exact_) {
    direct_.solve(b);
    return;
  }
  Eigen::Map<Vector> right_side(b.data(), matrix_.size);
  r_ = right_side;
  x_.setZero();
  const double goal = accuracy_ * accuracy_ * r_.cwiseAbs2().dot(inverse_diagonal_);
  double product = 0;
  int iterations = 0;
  while (!(r_.cwiseAbs2().dot(inverse_diagonal_) <= goal)) {
    precondition();
    const double next = r_.dot(z_);
    p_ = iterations == 0 ? z_ : z_ + next / product * p_;
    product = next;
    multiply(p_, q_);
    const double curvature = p_.dot(q_);
    if (!(curvature > 0) || !(product > 0) || iterations == most_iterations) {
      if (factorize_directly()) {
        direct_.solve(b);
      } else {
        right_side.setConstant(std::nan(""));
      }
      return;
    }
    const double length = product / curvature;
    x_ += length * p_;
    r_ -= length * q_;
    ++iterations;
  }
  right_side = x_;
  statistics_.iterations += iterations;
  wants_factor_ = iterations > (has_factor_ ? many_with_factor : many_with_diagonal);
}

}  // namespace picus
