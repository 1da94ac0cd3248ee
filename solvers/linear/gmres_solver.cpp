#include <picus/solvers/linear/gmres_solver.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace picus::solvers {
namespace {

/// Beyond this many sweeps it pays off to compute factors, which are used for many matrices.
constexpr int max_gmres_iterations = 40;
/// Beyond this many iterations with the factors of an earlier matrix they are renewed.
constexpr int max_iterations_with_factors = 10;
/// Gauss-Seidel sweeps are ineffective if a diagonal entry is below this fraction of the largest in its row, as in the
/// row of a multiplier of a joint.
constexpr double weak = 1e-3;

}  // namespace

void GmresSolver::analyze(const SparseMatrix&, Index trailing) {
  contact_rows_ = trailing;
  is_prepared_ = is_reducible_ = wants_factors_ = has_factors_ = false;
  whole_is_analyzed_ = reduced_is_analyzed_ = false;
}

bool GmresSolver::factorize(const SparseMatrix& matrix) {
  if (!all_finite(matrix.values)) return false;
  const bool is_first = !is_prepared_;
  if (is_first) prepare(matrix);
  if (!is_reducible_ || !elimination_.reduce(matrix, threads_)) return factorize_whole(matrix);
  rows_.assign(elimination_.transposed(), threads_);
  if (is_first) weigh_rows();
  if (wants_factors_) return factorize_reduced() || factorize_whole(matrix);
  method_ = has_factors_ ? Method::factors : Method::sweeps;
  ++statistics_.refactorizations;
  return true;
}

bool GmresSolver::factorize_trailing(const SparseMatrix& matrix) {
  const bool iterates = method_ == Method::sweeps || method_ == Method::factors;
  const std::size_t first_trailing = matrix.column_start[matrix.size - contact_rows_];
  if (!is_reducible_ || !iterates || wants_factors_ ||
      !all_finite(std::span(matrix.values).subspan(first_trailing)) || !elimination_.reduce_contacts(matrix))
    return factorize(matrix);
  rows_.assign(elimination_.transposed(), elimination_.contact_rows());
  ++statistics_.refactorizations;
  return true;
}

/// Called with the first matrix, since the choice of components needs values.
void GmresSolver::prepare(const SparseMatrix& matrix) {
  is_prepared_ = true;
  is_reducible_ = elimination_.prepare(matrix, contact_rows_, patterns_);
  if (!is_reducible_) return;
  schedule_.build(threads_, elimination_.transposed(), elimination_.diagonal_places());
  rows_.build(elimination_.transposed(), elimination_.diagonal_places(), accuracy_);
  const Index n = matrix.size - contact_rows_;
  for (Vector* vector : {&weight_, &t_}) vector->setZero(n);
  basis_.resize(n, max_gmres_iterations + 1);  // uninitialised: unused pages take no memory
  hessenberg_.setZero(max_gmres_iterations + 1, max_gmres_iterations);
  for (Vector* vector : {&cosine_, &sine_, &right_side_}) vector->setZero(max_gmres_iterations + 1);
}

void GmresSolver::weigh_rows() {
  const SparseMatrix& rows = elimination_.transposed();
  for (Index i = 0; i < rows.size; ++i) {
    const auto first = rows.values.begin() + rows.column_start[i];
    const auto last = rows.values.begin() + rows.column_start[i + 1];
    const double largest = std::accumulate(
        first, last, 0.0, [](double most, double value) { return std::max(most, std::abs(value)); });
    weight_[i] = largest > 0 ? std::sqrt(largest) : 1.0;
    if (!(std::abs(rows_.diagonal()[i]) > weak * largest)) wants_factors_ = true;
  }
}

bool GmresSolver::factorize_whole(const SparseMatrix& matrix) {
  if (!whole_is_analyzed_) whole_lu_.analyze(matrix, 0);
  whole_is_analyzed_ = true;
  method_ = Method::whole;
  ++statistics_.factorizations;
  return whole_lu_.factorize(matrix);
}

bool GmresSolver::factorize_reduced() {
  if (!reduced_is_analyzed_) reduced_lu_.analyze(elimination_.transposed(), 0);
  reduced_is_analyzed_ = true;
  wants_factors_ = false;
  method_ = Method::exact_factors;
  ++statistics_.factorizations;
  has_factors_ = reduced_lu_.factorize(elimination_.transposed());
  return has_factors_;
}

void GmresSolver::solve(std::span<double> b) {
  ++statistics_.solves;
  const double asked = std::exchange(asked_accuracy_, 0.0);
  // With factors each further digit takes at most one iteration, less than an inaccurate change of contact
  // states may take.
  const double accuracy = method_ == Method::sweeps ? next_accuracy(accuracy_, asked) : accuracy_;
  if (method_ == Method::whole) {
    whole_lu_.solve(b);
    return;
  }
  elimination_.condense(b);
  const std::size_t n = elimination_.transposed().size;
  if (method_ == Method::exact_factors) {
    reduced_lu_.solve_transposed(b.first(n));
  } else if (!iterate({b.data(), static_cast<Index>(n)}, accuracy)) {
    if (factorize_reduced()) {
      reduced_lu_.solve_transposed(b.first(n));
    } else {
      std::fill(b.begin(), b.end(), std::nan(""));
    }
  }
  elimination_.expand(b);
}

/// GMRES without restart (Saad and Schultz 1986) for N^-1 A x = N^-1 b, in the norm weighted with w: Gauss-Seidel
/// N = (D + L) D^-1 (D + U), of which D^-1 (D + U) is applied from the right, or N = older factors. Leaves b unchanged
/// if it does not converge.
bool GmresSolver::iterate(Eigen::Map<Vector> b, double accuracy) {
  t_ = b;
  precondition(t_);
  basis_.col(0) = weight_.cwiseProduct(t_);
  const double start = basis_.col(0).norm();
  if (!std::isfinite(start)) return false;
  if (start == 0) {
    b.setZero();
    return true;
  }
  basis_.col(0) /= start;
  right_side_.setZero();
  right_side_[0] = start;
  int count = 0;
  const double goal = accuracy * start;
  while (std::abs(right_side_[count]) > goal) {
    if (count == max_gmres_iterations && std::abs(right_side_[count]) <= accuracy_ * start) break;
    if (count == max_gmres_iterations) return false;
    const Index j = count++;
    apply(basis_.col(j), basis_.col(j + 1));
    for (Index i = 0; i <= j; ++i) {
      hessenberg_(i, j) = basis_.col(i).dot(basis_.col(j + 1));
      basis_.col(j + 1) -= hessenberg_(i, j) * basis_.col(i);
    }
    const double rest = basis_.col(j + 1).norm();
    if (!std::isfinite(rest)) return false;
    if (rest > 0) basis_.col(j + 1) /= rest;
    for (Index i = 0; i < j; ++i) {
      const double upper = hessenberg_(i, j);
      hessenberg_(i, j) = cosine_[i] * upper + sine_[i] * hessenberg_(i + 1, j);
      hessenberg_(i + 1, j) = -sine_[i] * upper + cosine_[i] * hessenberg_(i + 1, j);
    }
    const double length = std::hypot(hessenberg_(j, j), rest);
    if (length == 0) return false;
    cosine_[j] = hessenberg_(j, j) / length;
    sine_[j] = rest / length;
    hessenberg_(j, j) = length;
    right_side_[j + 1] = -sine_[j] * right_side_[j];
    right_side_[j] *= cosine_[j];
  }
  for (Index i = count; i-- > 0;) {
    for (Index k = i + 1; k < count; ++k) right_side_[i] -= hessenberg_(i, k) * right_side_[k];
    right_side_[i] /= hessenberg_(i, i);
  }
  b.noalias() = basis_.leftCols(count) * right_side_.head(count);
  b = b.cwiseQuotient(weight_);
  if (method_ == Method::sweeps) sweep_backward(b);
  statistics_.iterations += count;
  if (method_ == Method::factors) wants_factors_ = count > max_iterations_with_factors;
  return true;
}

void GmresSolver::precondition(Vector& r) {
  if (method_ == Method::sweeps) {
    sweep_forward(r);
  } else {
    reduced_lu_.solve_transposed(std::span(r.data(), r.size()));
  }
}

/// q = w N^-1 A (p / w); with sweeps (D + L)^-1 A (D + U)^-1 p = t + (D + L)^-1 (p - D t), t = (D + U)^-1 p.
void GmresSolver::apply(const Eigen::Ref<const Vector>& p, Eigen::Ref<Vector> q) {
  q = p.cwiseQuotient(weight_);
  if (method_ == Method::sweeps) {
    t_ = q;
    sweep_backward(t_);
    q -= rows_.diagonal().cwiseProduct(t_);
    sweep_forward(q);
    q += t_;
  } else {
    rows_.multiply(q.data(), t_.data(), threads_);
    precondition(t_);
    q = t_;
  }
  q = q.cwiseProduct(weight_);
}

/// x := (D + L)^-1 x.
void GmresSolver::sweep_forward(Eigen::Ref<Vector> x) const {
  const auto sweep = [&](Index first, Index last) { rows_.solve_lower(first, last, x.data()); };
  schedule_.is_parallel() ? schedule_.forward(sweep) : sweep(0, rows_.size());
}

/// x := (D + U)^-1 x.
void GmresSolver::sweep_backward(Eigen::Ref<Vector> x) const {
  const auto sweep = [&](Index first, Index last) { rows_.solve_upper(first, last, x.data()); };
  schedule_.is_parallel() ? schedule_.backward(sweep) : sweep(0, rows_.size());
}

}  // namespace picus::solvers
