#include <picus/solvers/newton/flush_denormals.hpp>
#include <picus/solvers/newton/semismooth_newton.hpp>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

constexpr int max_reductions = 4;

/// Minimises r^T r along the step that was just taken in full, by secant steps on its derivative: with
/// phi(0), phi'(0) = -2 phi(0) of a Newton direction and phi(a) known, the secant of phi' vanishes at
/// -phi'(0) a^2 / (2 (phi(a) - phi(0) - phi'(0) a)). Leaves the problem at the best factor tried.
ResidualNorm search_along(NonlinearProblem& problem, NewtonWorkspace& work, const ResidualNorm& before,
                          const ResidualNorm& full) {
  double at = 1.0;
  double best_at = 1.0;
  ResidualNorm best = full;
  ResidualNorm current = full;
  for (int k = 0; k < max_reductions && !(best.square < before.square); ++k) {
    double next = 0.25 * at;
    if (std::isfinite(current.square)) {
      next = before.square * at * at / (current.square - before.square + 2.0 * before.square * at);
    }
    next = std::clamp(next, 0.1 * at, 0.5 * at);
    problem.advance(work.dx, next - at);
    at = next;
    current = problem.evaluate(work.r);
    if (std::isfinite(current.square) && !(best.square <= current.square)) {
      best = current;
      best_at = at;
    }
  }
  if (best_at != at) {
    problem.advance(work.dx, best_at - at);
    best = problem.evaluate(work.r);
  }
  return best;
}

bool may_reuse(const NonlinearProblem& problem, const NewtonOptions& options, const NewtonWorkspace& work) {
  return options.reuses_tangent && work.has_tangent && work.tangent_kind == problem.tangent_kind();
}

}  // namespace

NewtonReport solve_newton(NonlinearProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                          NewtonWorkspace& work) {
  const FlushDenormals flush;
  NewtonReport report;
  report.residual = problem.evaluate(work.r);
  bool contracts = true;
  while (!(report.residual.worst <= (report.iterations == 0 ? options.good_start : 1.0))) {
    if (report.iterations == options.max_iterations || !std::isfinite(report.residual.square)) return report;
    if (!contracts || !may_reuse(problem, options, work)) {
      work.has_tangent = solver.factorize(problem.tangent());
      if (options.reuses_tangent) work.tangent_kind = problem.tangent_kind();
      if (!work.has_tangent) return report;
    }
    work.dx = -work.r;
    solver.solve({work.dx.data(), static_cast<std::size_t>(work.dx.size())});
    ++report.iterations;
    if (!work.dx.allFinite()) return report;
    const ResidualNorm before = report.residual;
    problem.advance(work.dx, 1.0);
    report.residual = problem.evaluate(work.r);
    contracts = report.residual.square <= options.good_contraction * options.good_contraction * before.square;
    const bool grew = !(report.residual.square <= before.square) && !(report.residual.worst <= 1.0);
    const bool is_lost = !std::isfinite(report.residual.square);
    if (grew && (is_lost || report.iterations > options.full_steps)) {
      ++report.line_searches;
      report.residual = search_along(problem, work, before, report.residual);
    }
  }
  if (report.iterations > options.good_iterations) work.has_tangent = false;
  report.converged = true;
  return report;
}

}  // namespace picus
