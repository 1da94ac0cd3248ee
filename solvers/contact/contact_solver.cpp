#include <picus/solvers/contact/contact_solver.hpp>

namespace picus::solvers {
namespace {

/// Sweeps and Newton iterations in turn, so often.
constexpr int most_rounds = 2;

}  // namespace

ContactSolverReport ContactSolver::solve(std::span<const ContactCone> cones, const DelassusOperator& W,
                                         const Vector& b, const Vector& weight, Vector& P, double tolerance,
                                         double enough) {
  ContactSolverReport report;
  const auto iterate = [&] {
    const ContactNewtonReport newton = newton_.solve(cones, W, b, weight, P, {.tolerance = tolerance});
    report.newton_iterations += newton.iterations;
    report.residual = newton.residual;
    report.converged = report.residual <= enough;
  };
  for (int round = 0; round < most_rounds && !report.converged; ++round) {
    const GaussSeidelReport swept = sweeps_.solve(cones, W, b, weight, P, {.tolerance = tolerance});
    report.sweeps += swept.sweeps;
    report.residual = swept.residual;
    report.converged = swept.converged;
    if (!report.converged) iterate();
  }
  if (report.converged) return report;
  start_ = P;
  const double swept_residual = report.residual;
  report.interior_point_iterations = solve_interior_point(cones, W, b, P).iterations;
  iterate();
  if (report.residual < swept_residual) return report;
  P = start_;
  report.residual = swept_residual;
  return report;
}

}  // namespace picus::solvers
