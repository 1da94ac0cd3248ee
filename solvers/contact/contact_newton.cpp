#include <picus/solvers/contact/contact_newton.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// Bounds of the proximal term.
constexpr double least_epsilon = 1e-8;
constexpr double largest_epsilon = 1e-2;
/// Epsilon is changed by these factors if the squared residual falls below this fraction of the previous one, or grows.
constexpr double success = 0.81;
constexpr double epsilon_reduction = 0.3;
constexpr double epsilon_growth = 5.0;

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, static_cast<int>(max_contact_rows),
                            static_cast<int>(max_contact_rows)>;

}  // namespace

void ContactNewton::assemble(const DelassusProblem& problem, const Vector& P, double epsilon) {
  const DelassusOperator& W = problem.W;
  for (Index c = 0; c < W.contact_count(); ++c) {
    const ContactCone& cone = problem.cones[c];
    const Index first = W.first_row(c);
    const Index m = W.rows(c);
    const ContactEquations equations = contact_equations(cone, y_.data() + first, P.data() + first);
    const Eigen::Map<const Eigen::MatrixXd> D(equations.D.data(), m, m);
    const Eigen::Map<const Eigen::MatrixXd> E(equations.E.data(), m, m);
    const auto blocks = W.blocks(c);
    for (Index k = 0; k < count_of(blocks); ++k) {
      const Eigen::Map<const Eigen::MatrixXd> w(W.values(blocks[k]), m, W.rows(blocks[k].contact));
      Block value = D.lazyProduct(w);
      if (blocks[k].contact == c) {
        value += E / cone.k;
        value.diagonal().array() -= epsilon;
      }
      matrix_.set(W, c, k, value);
    }
  }
}

ContactNewtonReport ContactNewton::solve(const DelassusProblem& problem, Vector& P,
                                         const ContactNewtonOptions& options) {
  ContactNewtonReport report;
  y_.resize(P.size());
  r_.resize(P.size());
  WeightedResidual norm = weighted_residual(problem, P, y_, r_);
  report.residual = norm.worst;
  best_ = P;
  double epsilon = options.first_epsilon;
  double halved = norm.worst;  // smallest residual when last halved
  int idle = 0;
  while (!(norm.worst <= options.tolerance) && report.iterations < options.max_iterations &&
         std::isfinite(norm.square)) {
    if (report.iterations == 0) {
      matrix_.analyze(problem.W);
      solver_.analyze(matrix_.matrix(), matrix_.first_rows());
    }
    assemble(problem, P, epsilon);
    if (!solver_.factorize(matrix_.matrix())) break;
    step_ = -r_;
    solver_.solve(step_);
    ++report.iterations;
    if (!step_.allFinite()) break;
    P += step_;
    const double before = norm.square;
    norm = weighted_residual(problem, P, y_, r_);
    idle = norm.worst < 0.5 * halved ? 0 : idle + 1;
    if (idle == 0) halved = norm.worst;
    if (norm.worst < report.residual) {
      report.residual = norm.worst;
      best_ = P;
    }
    if (idle >= options.patience) break;
    if (norm.square < success * before) epsilon = std::max(least_epsilon, epsilon_reduction * epsilon);
    if (norm.square > before) epsilon = std::min(largest_epsilon, epsilon_growth * epsilon);
  }
  P = best_;
  report.converged = report.residual <= options.tolerance;
  return report;
}

}  // namespace picus::solvers
