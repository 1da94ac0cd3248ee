#include <picus/error.hpp>
#include <picus/solvers/linear/conjugate_gradient_solver.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace picus::solvers {
namespace {

/// Beyond this many sweeps it pays off to compute a factor, which is used for many matrices. Measured for blocks of
/// hexahedra: a triangular solve with the factor of 20 x 20 x 20 takes as long as 10 sweeps.
constexpr int many_sweeps = 40;
/// Beyond this many iterations with the factor of an earlier matrix it is renewed.
constexpr int many_with_factor = 5;
/// Beyond this many, due to rounding or an indefinite matrix, the direct solver is used.
constexpr int max_cg_iterations = 500;
/// Smallest number of copied values for which a further thread pays off.
constexpr std::size_t value_grain = 1 << 15;

}  // namespace

void ConjugateGradientSolver::analyze(const SparseMatrix& matrix, Index) {
  matrix_ = matrix;
  std::vector<Index> diagonal;
  for (Index c = 0; c < matrix.size; ++c) diagonal.push_back(matrix.find(c, c));
  schedule_.build(threads_, matrix, diagonal);
  rows_.build(matrix, diagonal, accuracy_);  // columns are the rows of a symmetric matrix
  for (Vector* vector : {&x_, &r_, &z_, &p_, &q_}) vector->setZero(matrix.size);
  is_analyzed_ = has_factor_ = wants_factor_ = factor_is_exact_ = false;
}

bool ConjugateGradientSolver::factorize(const SparseMatrix& matrix) {
  if (!all_finite(matrix.values)) return false;
  const bool is_known = rows_.diagonal()[0] != 0 && std::memcmp(matrix_.values.data(), matrix.values.data(),
                                                                matrix.values.size() * sizeof(double)) == 0;
  if (is_known && !wants_factor_) {
    ++statistics_.reuses;
    return true;
  }
  for_parts(threads_, matrix.values.size(), value_grain, [&](std::size_t first, std::size_t last) {
    std::copy_n(matrix.values.data() + first, last - first, matrix_.values.data() + first);
  });
  factor_is_exact_ = false;
  rows_.assign(matrix_, threads_);
  if (wants_factor_ || !(rows_.diagonal().minCoeff() > 0)) return factorize_directly();
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
  const double asked = std::exchange(asked_accuracy_, 0.0);
  if (factor_is_exact_) {
    direct_.solve(b);
    return;
  }
  const Eigen::Map<Vector> right_side(b.data(), matrix_.size);
  if (has_factor_ ? solve_with_factor(right_side)
                  : solve_with_sweeps(right_side, next_accuracy(accuracy_, asked)))
    return;
  if (factorize_directly()) {
    direct_.solve(b);
  } else {
    std::fill(b.begin(), b.end(), std::nan(""));
  }
}

/// Conjugate gradients on (D + L)^-1 A (D + L^T)^-1 y = (D + L)^-1 b, preconditioned by D; x = (D + L^T)^-1 y.
bool ConjugateGradientSolver::solve_with_sweeps(Eigen::Map<Vector> b, double accuracy) {
  r_ = b;
  sweep_forward(r_);
  x_.setZero();
  z_ = rows_.diagonal().cwiseProduct(r_);
  double product = r_.dot(z_);
  const double goal = accuracy * accuracy * product;
  const double usual_goal = accuracy_ * accuracy_ * product;
  int iterations = 0;
  int usual_iterations = 0;  // these determine whether sweeps suffice
  p_ = z_;
  while (!(product <= goal) && !(iterations >= many_sweeps && product <= usual_goal)) {
    q_ = p_;
    sweep_backward(q_);
    z_ = p_ - rows_.diagonal().cwiseProduct(q_);
    sweep_forward(z_);
    q_ += z_;
    const double curvature = p_.dot(q_);
    if (!(curvature > 0) || ++iterations > max_cg_iterations) return false;
    const double length = product / curvature;
    x_ += length * p_;
    r_ -= length * q_;
    z_ = rows_.diagonal().cwiseProduct(r_);
    const double next = r_.dot(z_);
    p_ = z_ + next / product * p_;
    if (product > usual_goal) usual_iterations = iterations;
    product = next;
  }
  sweep_backward(x_);
  b = x_;
  statistics_.iterations += iterations;
  wants_factor_ = usual_iterations > many_sweeps;
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
    rows_.multiply(p_.data(), q_.data(), threads_);
    const double curvature = p_.dot(q_);
    if (!(curvature > 0) || !(product > 0) || ++iterations > max_cg_iterations) return false;
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

/// x := (D + L)^-1 x.
void ConjugateGradientSolver::sweep_forward(Vector& x) const {
  const auto sweep = [&](Index first, Index last) { rows_.solve_lower(first, last, x.data()); };
  schedule_.is_parallel() ? schedule_.forward(sweep) : sweep(0, matrix_.size);
}

/// x := (D + L^T)^-1 x.
void ConjugateGradientSolver::sweep_backward(Vector& x) const {
  const auto sweep = [&](Index first, Index last) { rows_.solve_upper(first, last, x.data()); };
  schedule_.is_parallel() ? schedule_.backward(sweep) : sweep(0, matrix_.size);
}

}  // namespace picus::solvers
