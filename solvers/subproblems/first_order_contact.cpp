#include <picus/solvers/contact/projected_gauss_seidel.hpp>
#include <picus/solvers/subproblems/first_order_contact.hpp>

#include <cmath>

namespace picus {

NewtonReport solve_first_order(Subproblem& problem, LinearSolver& solver, int max_iterations,
                               NewtonWorkspace& work) {
  NewtonReport report;
  work.has_tangent = false;
  const Index first = problem.first_contact_unknown();
  const Index count = problem.size() - first;
  const auto solve = [&](Vector& x) { solver.solve({x.data(), static_cast<std::size_t>(x.size())}); };
  Eigen::MatrixXd compliance(count, count);
  Vector response(count);

  report.residual = problem.evaluate(work.r);
  while (!(report.residual.worst <= 1.0)) {
    if (report.iterations == max_iterations || !std::isfinite(report.residual.square)) return report;
    if (!solver.factorize(problem.tangent_with_held_multipliers())) return report;
    ++report.iterations;
    for (Index c = 0; c < count; ++c) {
      work.dx.setZero();
      work.dx[first + c] = problem.held_multiplier_row(c, 1.0);
      solve(work.dx);
      problem.contact_response(work.dx, response);
      compliance.col(c) = response;
    }
    work.dx = -work.r;
    work.dx.tail(count).setZero();
    solve(work.dx);
    problem.contact_response(work.dx, response);

    const Vector P_before = problem.contact_multipliers();
    Vector P = P_before;
    const Vector free_motion = problem.contact_motion() + response - compliance * P_before;
    solve_gauss_seidel(problem.cones(), compliance, free_motion, P);

    work.dx = -work.r;
    for (Index c = 0; c < count; ++c) work.dx[first + c] = problem.held_multiplier_row(c, P[c] - P_before[c]);
    solve(work.dx);
    if (!work.dx.allFinite()) return report;
    problem.advance(work.dx, 1.0);
    report.residual = problem.evaluate(work.r);
  }
  report.converged = true;
  return report;
}

}  // namespace picus
