#include <picus/solvers/contact/contact_solver.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// Limit of the interior-point method: solves that take more do not converge.
constexpr int max_interior_point_iterations = 40;
/// Number of interior points with fixed sliding speeds, each with the speeds obtained by the iterations that follow the
/// previous one.
constexpr int max_centres = 2;
/// Accuracy of an interior point that only serves as a start (InteriorPointOptions::gap).
constexpr double centre_gap = 1e-12;
/// An expected change counts if it leaves at most this fraction of the residual. Where it is mostly rounding errors, as in
/// towers at rest, these would grow from step to step: with 1 a tower of 40 boxes takes four times as long.
constexpr double much_nearer = 0.1;
/// A residual above this, in tolerances, is of no use, and justifies more proximal iterations: 83 and 105 iterations
/// led to the solution from 3e5 and 2e4.
constexpr double far = 1e3;
constexpr int max_proximal_iterations = 60;
constexpr int max_proximal_iterations_from_far = 300;

/// Sum of the sliding speed and the rolling speed of each contact.
void find_slip(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
               const Vector& P, std::vector<double>& slip) {
  std::array<double, max_contact_rows> y{};
  slip.clear();
  for (Index c = 0; c < W.contact_count(); ++c) {
    W.evaluate(c, b, P, y.data());
    const auto speed = [&](Index first, Index end) {
      double square = 0.0;
      for (Index i = first; i < end; ++i) square += y[i] * y[i];
      return std::sqrt(square);
    };
    const Index first_rolling = cones[c].rows - cones[c].rolling_rows;
    slip.push_back(speed(1, first_rolling) + speed(first_rolling, cones[c].rows));
  }
}

}  // namespace

bool ContactSolver::choose_start(std::span<const ContactCone> cones, const DelassusOperator& W,
                                 const Vector& b, const Vector& weight, Vector& P,
                                 const ContactSolverOptions& options, ContactSolverReport& report) {
  best_ = P;
  const GaussSeidelReport swept = sweeps_.solve(
      cones, W, b, weight, P, {.max_sweeps = 1, .tolerance = options.tolerance, .threads = options.threads});
  ++report.sweeps;
  report.residual = swept.residual;
  report.converged = swept.converged;
  if (report.converged) return true;
  if (!std::isfinite(swept.residual)) P = best_;
  best_ += *options.expected_change;
  y_.resize(P.size());
  r_.resize(P.size());
  if (weighted_residual(cones, W, b, weight, best_, y_, r_).worst < much_nearer * swept.residual) P = best_;
  return false;
}

ContactSolverReport ContactSolver::solve(std::span<const ContactCone> cones, const DelassusOperator& W,
                                         const Vector& b, const Vector& weight, Vector& P,
                                         const ContactSolverOptions& options) {
  ContactSolverReport report;
  if (options.expected_change != nullptr && choose_start(cones, W, b, weight, P, options, report))
    return report;
  double best = std::numeric_limits<double>::infinity();
  best_ = P;
  const auto take = [&](double residual) {
    report.residual = residual;
    report.converged = residual <= options.acceptable_residual;
    if (!(residual < best)) return;
    best = residual;
    best_ = P;
  };
  const auto sweep = [&] {
    const GaussSeidelReport swept =
        sweeps_.solve(cones, W, b, weight, P, {.tolerance = options.tolerance, .threads = options.threads});
    report.sweeps += swept.sweeps;
    report.residual = swept.residual;
    report.converged = swept.converged;
  };
  const auto iterate = [&] {
    const ContactNewtonReport newton =
        newton_.solve(cones, W, b, weight, P, {.tolerance = options.tolerance});
    report.newton_iterations += newton.iterations;
    take(newton.residual);
  };
  sweep();
  if (!report.converged) iterate();
  if (report.converged) return report;
  report.interior_point_iterations =
      interior_point_.solve(cones, W, b, P, {.max_iterations = max_interior_point_iterations}).iterations;
  iterate();
  if (!report.converged) P = best_;
  for (int centre = 0; centre < max_centres && !report.converged; ++centre) {
    find_slip(cones, W, b, P, slip_);
    report.interior_point_iterations +=
        interior_point_.solve(cones, W, b, P, {.gap = centre_gap, .slip = slip_}).iterations;
    iterate();
    if (!report.converged) sweep();
    if (!report.converged) iterate();
  }
  if (report.converged) return report;
  P = best_;
  const ContactNewtonReport near = proximal_.solve(
      cones, W, b, weight, P,
      {.max_iterations = best <= far ? max_proximal_iterations : max_proximal_iterations_from_far,
       .tolerance = options.tolerance});
  report.proximal_iterations = near.iterations;
  take(near.residual);
  return report;
}

}  // namespace picus::solvers
