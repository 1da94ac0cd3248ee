#include <picus/solvers/contact/contact_solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::solvers {
namespace {

/// Limit of the interior-point method, and its initial normal forces relative to the motion without forces. Of 60 problems
/// of a jammed heap of 300 balls that sweeps and Newton's method do not solve, 25 are solved from the first point with 40
/// iterations and 32 with 60, since the iteration restarts at the boundary of cones; 5 more from the second point.
constexpr int max_interior_point_iterations = 60;
constexpr std::array<double, 2> first_forces = {1.0, 0.1};
/// An expected change counts if it leaves at most this fraction of the residual. Where it is mostly rounding errors, as in
/// towers at rest, these would grow from step to step: with 1 a tower of 40 boxes takes four times as long.
constexpr double much_nearer = 0.1;
/// Limit of the proximal-point method. Of the other 23 of these problems 60 iterations solve 8, 150 solve 14 and 300 solve
/// 17; the last number is for residuals above `far`, in tolerances, which are of no use.
constexpr int max_proximal_iterations = 150;
constexpr int max_proximal_iterations_from_far = 300;
constexpr double far = 1e3;

}  // namespace

bool ContactSolver::choose_start(const Task& task, ContactSolverReport& report) {
  Vector& P = task.P;
  best_ = P;
  const GaussSeidelReport swept =
      sweeps_.solve(task.problem, P,
                    {.max_sweeps = 1, .tolerance = task.options.tolerance, .threads = task.options.threads});
  ++report.sweeps;
  report.residual = swept.residual;
  report.converged = swept.converged;
  if (report.converged) return true;
  if (!std::isfinite(swept.residual)) P = best_;
  best_ += *task.options.expected_change;
  if (residual_at(task, best_) < much_nearer * swept.residual) P = best_;
  return false;
}

double ContactSolver::residual_at(const Task& task, const Vector& P) {
  y_.resize(P.size());
  r_.resize(P.size());
  return weighted_residual(task.problem, P, y_, r_).worst;
}

void ContactSolver::sweep(const Task& task, ContactSolverReport& report) {
  const GaussSeidelReport swept = sweeps_.solve(task.problem, task.P,
                                                {.tolerance = task.options.tolerance,
                                                 .sufficient_residual = task.options.sufficient_residual,
                                                 .threads = task.options.threads});
  report.sweeps += swept.sweeps;
  report.residual = swept.residual;
  report.converged = swept.converged;
}

void ContactSolver::iterate(const Task& task, ContactSolverReport& report) {
  const ContactNewtonReport newton =
      newton_.solve(task.problem, task.P,
                    {.tolerance = std::max(task.options.tolerance, task.options.sufficient_residual)});
  report.newton_iterations += newton.iterations;
  report.residual = newton.residual;
  report.converged =
      newton.residual <= std::max(task.options.acceptable_residual, task.options.sufficient_residual);
}

ContactSolverReport ContactSolver::solve(const DelassusProblem& problem, Vector& P,
                                         const ContactSolverOptions& options) {
  ContactSolverReport report = solve_by_sweeps(problem, P, options);
  if (report.converged) return report;
  const int sweeps = report.sweeps;
  report = solve_by_newton(problem, P, options);
  const int newton_iterations = report.newton_iterations;
  if (!report.converged) {
    report = solve_thoroughly(problem, P, options);
    report.newton_iterations += newton_iterations;
  }
  report.sweeps = sweeps;
  return report;
}

ContactSolverReport ContactSolver::solve_by_sweeps(const DelassusProblem& problem, Vector& P,
                                                   const ContactSolverOptions& options) {
  const Task task{problem, P, options};
  ContactSolverReport report;
  if (options.expected_change != nullptr && choose_start(task, report)) return report;
  best_ = P;
  sweep(task, report);
  if (!std::isfinite(report.residual)) P = best_;
  return report;
}

ContactSolverReport ContactSolver::solve_by_newton(const DelassusProblem& problem, Vector& P,
                                                   const ContactSolverOptions& options) {
  ContactSolverReport report;
  iterate({problem, P, options}, report);
  return report;
}

ContactSolverReport ContactSolver::solve_thoroughly(const DelassusProblem& problem, Vector& P,
                                                    const ContactSolverOptions& options) {
  const Task task{problem, P, options};
  ContactSolverReport report;
  best_ = P;
  double least = residual_at(task, P);
  for (const double first_force : first_forces) {
    P = best_;
    report.interior_point_iterations +=
        interior_point_
            .solve(problem.cones, problem.W, problem.b, P,
                   {.max_iterations = max_interior_point_iterations, .first_force = first_force})
            .iterations;
    iterate(task, report);
    if (report.converged) return report;
    if (report.residual < least) {
      best_ = P;
      least = report.residual;
    }
  }
  P = best_;
  report.residual = least;
  const ContactNewtonReport near = proximal_.solve(
      problem, P,
      {.max_iterations = report.residual <= far ? max_proximal_iterations : max_proximal_iterations_from_far,
       .tolerance = options.tolerance});
  report.proximal_iterations = near.iterations;
  report.residual = near.residual;
  report.converged = near.residual <= options.acceptable_residual;
  return report;
}

}  // namespace picus::solvers
