#include <picus/solvers/contact/gauss_seidel.hpp>
#include <picus/solvers/contact/local_contact.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// The acceleration is restarted if the change grows by this factor. Accelerated changes do not decrease monotonically:
/// if it were restarted whenever the change does not fall to a fifth, problems of FCLIB's collection would not be
/// solved to ten digits.
constexpr double change_growth = 2.0;
/// Regularisation of the Gram matrix, relative to its largest diagonal entry.
constexpr double gram_part = 1e-12;

}  // namespace

/// Solves for one contact; returns its previous residual, NaN if any component is.
double GaussSeidel::solve_contact(Index contact) {
  std::array<double, max_contact_rows> y{};
  std::array<double, max_contact_rows> r{};
  const DelassusOperator& W = problem_->W;
  const ContactCone& cone = problem_->cones[contact];
  const Index first = W.first_row(contact);
  double* const P = P_->data() + first;
  W.evaluate(contact, problem_->b, *P_, y.data());
  contact_residual(cone, y.data(), P, r.data());
  double worst = 0.0;
  double sum = 0.0;  // unlike the maximum it propagates NaN
  for (Index k = 0; k < cone.rows; ++k) {
    const double measure = std::abs(r[k]) * problem_->weight[first + k];
    worst = std::max(worst, measure);
    sum += measure;
  }
  const double* const diagonal = W.diagonal(contact);
  for (Index k = 0; k < cone.rows; ++k) {
    for (Index l = 0; l < cone.rows; ++l) y[l] -= diagonal[k * cone.rows + l] * P[k];
  }
  solve_local(cone, diagonal, y.data(), P);
  return std::isnan(sum) ? sum : worst;
}

double GaussSeidel::sweep(const Threads* threads) {
  const auto raise = [](double& worst, double residual) {
    if (!(residual <= worst) && !std::isnan(worst)) worst = residual;
  };
  worst_.assign(order_.task_count(), 0.0);
  order_.visit(order_.has_colours() ? threads : nullptr,
               [&](std::size_t task, Index contact) { raise(worst_[task], solve_contact(contact)); });
  double worst = 0.0;
  for (const double residual : worst_) raise(worst, residual);
  return worst;
}

void GaussSeidel::accelerate() {
  Vector& P = *P_;
  change_ = P.cwiseProduct(scale_) - start_;
  if (has_last_ && change_.norm() > change_growth * last_change_.norm()) {
    stored_ = next_ = 0;
    has_last_ = false;
  }
  if (has_last_) {
    changes_.col(next_) = change_ - last_change_;
    results_.col(next_) = change_ + start_ - last_result_;
    stored_ = std::min(stored_ + 1, depth);
    for (int k = 0; k < stored_; ++k) {
      gram_(k, next_) = gram_(next_, k) = changes_.col(k).dot(changes_.col(next_));
    }
    next_ = (next_ + 1) % depth;
  }
  last_change_ = change_;
  last_result_ = change_ + start_;
  has_last_ = true;
  if (stored_ == 0) return;
  GramMatrix gram = gram_.topLeftCorner(stored_, stored_);
  gram.diagonal().array() += gram_part * gram.diagonal().maxCoeff();
  const GramVector part = changes_.leftCols(stored_).transpose() * change_;
  const GramVector share = gram.ldlt().solve(part);
  if (!share.allFinite()) return;
  P = (last_result_ - results_.leftCols(stored_) * share).cwiseQuotient(scale_);
}

GaussSeidelReport GaussSeidel::solve(const DelassusProblem& problem, Vector& P,
                                     const GaussSeidelOptions& options) {
  problem_ = &problem;
  const DelassusOperator& W = problem.W;
  P_ = &P;
  order_.build(W);
  const Index rows = W.row_count();
  scale_.resize(rows);
  for (Index c = 0; c < W.contact_count(); ++c)
    scale_.segment(W.first_row(c), W.rows(c)).setConstant(1.0 / std::sqrt(problem.cones[c].k));
  changes_.resize(rows, depth);
  results_.resize(rows, depth);
  gram_.setZero();
  stored_ = next_ = 0;
  has_last_ = false;
  GaussSeidelReport report;
  double best = std::numeric_limits<double>::infinity();
  int idle = 0;
  while (true) {
    start_ = P.cwiseProduct(scale_);
    report.residual = sweep(options.threads);
    ++report.sweeps;
    report.converged = report.residual <= options.tolerance ||
                       (report.sweeps > options.few_sweeps && report.residual <= options.sufficient_residual);
    if (report.converged || !std::isfinite(report.residual) || report.sweeps >= options.max_sweeps)
      return report;
    idle = report.residual < 0.5 * best ? 0 : idle + 1;
    best = idle == 0 ? report.residual : best;
    if (idle >= options.patience) return report;
    accelerate();
  }
}

}  // namespace picus::solvers
