#include <picus/solvers/newton/flush_denormals.hpp>
#include <picus/solvers/subproblems/lcp_sequence.hpp>

#include <cmath>

namespace picus {

using solvers::FlushDenormals;

LcpSequence::LcpSequence(const Subproblem& problem)
    : lemke_(count_of(problem.cones())),
      response_(Vector::Zero(problem.contact_motion().size())),
      offset_(response_) {
  const auto n = count_of(problem.cones());
  A_ = Eigen::MatrixXd::Zero(n, n);
  b_ = x_ = Vector::Zero(n);
  normals_.reserve(problem.cones().size());
}

void LcpSequence::list_normals(const Subproblem& problem) {
  normals_.clear();
  for (const ContactCone& cone : problem.cones()) {
    if (cone.is_candidate) normals_.push_back({cone.first_row, std::sqrt(cone.k)});
  }
}

void LcpSequence::solve_linear(Subproblem& problem, LinearSolver& solver, Vector& x) const {
  solver.solve(std::span(x.data(), x.size()));
  if (excludes_rows_) problem.leave_out_excluded_rows(solver, x);
}

void LcpSequence::condense(Subproblem& problem, LinearSolver& solver, NewtonWorkspace& work) {
  const auto n = count_of(normals_);
  const Index first = problem.first_contact_unknown();
  const auto of = [&](Index i) -> const Normal& { return normals_[i]; };
  if (excludes_rows_) {
    work.dx.setZero();
    solve_linear(problem, solver, work.dx);
    problem.contact_response(work.dx, offset_);
  } else {
    offset_.setZero();
  }
  for (Index i = 0; i < n; ++i) {
    work.dx.setZero();
    work.dx[first + of(i).row] = problem.fixed_multiplier_row(of(i).row, of(i).scale);
    solve_linear(problem, solver, work.dx);
    problem.contact_response(work.dx, response_);
    for (Index j = 0; j < n; ++j) A_(j, i) = of(j).scale * (response_[of(j).row] - offset_[of(j).row]);
  }
  work.dx = -work.r;
  work.dx.tail(problem.size() - first).setZero();
  solve_linear(problem, solver, work.dx);
  problem.contact_response(work.dx, response_);
  for (Index i = 0; i < n; ++i) {
    x_[i] = problem.contact_multipliers()[of(i).row] / of(i).scale;
    b_[i] = of(i).scale * (problem.contact_motion()[of(i).row] + response_[of(i).row]);
  }
  for (Index i = 0; i < n; ++i) b_.head(n) -= x_[i] * A_.col(i).head(n);
}

LcpSequence::Report LcpSequence::solve(Subproblem& problem, LinearSolver& solver,
                                       const NewtonOptions& options, NewtonWorkspace& work) {
  const FlushDenormals flush;
  Report report;
  NewtonReport& newton = report.newton;
  work.has_tangent = excludes_rows_ = false;
  list_normals(problem);
  const auto n = count_of(normals_);
  newton.residual = choose_start(problem, options, work.r);
  const auto is_solved = [&] {
    return newton.residual.worst <= (newton.iterations == 0 ? options.guess_tolerance : 1.0);
  };
  while (!is_solved()) {
    if (newton.iterations == options.max_iterations || !std::isfinite(newton.residual.square)) return report;
    if (!solver.factorize(problem.tangent_with(ContactRows::fixed))) return report;
    if (newton.iterations == problem.iterations_before_exclusion() &&
        problem.exclude_unreachable_residual(solver)) {
      excludes_rows_ = true;
      newton.residual = problem.evaluate(work.r);
      if (is_solved()) break;
    }
    ++newton.iterations;
    condense(problem, solver, work);
    if (!A_.topLeftCorner(n, n).allFinite() || !b_.head(n).allFinite()) return report;
    // Without a solution the multipliers are unchanged.
    report.lcp = lemke_.solve(A_.topLeftCorner(n, n), b_.head(n), x_.head(n)).status;

    work.dx = -work.r;
    const Index first = problem.first_contact_unknown();
    work.dx.tail(problem.size() - first).setZero();
    for (Index i = 0; i < n; ++i) {
      const auto& [row, scale] = normals_[i];
      const double change = scale * x_[i] - problem.contact_multipliers()[row];
      work.dx[first + row] = problem.fixed_multiplier_row(row, change);
    }
    solve_linear(problem, solver, work.dx);
    if (!work.dx.allFinite()) return report;
    problem.advance(work.dx, 1.0);
    newton.residual = problem.evaluate(work.r);
  }
  newton.converged = true;
  return report;
}

}  // namespace picus
