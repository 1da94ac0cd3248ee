#include <picus/solvers/newton/flush_denormals.hpp>
#include <picus/solvers/newton/semismooth_newton.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus {

using solvers::FlushDenormals;

namespace {

constexpr int max_reductions = 4;

/// Line search: minimises phi = r^T r along the full step just taken, by secant steps on its derivative: with phi(0),
/// phi'(0) = -2 phi(0) for a Newton direction and phi(a) known, the secant of phi' vanishes at -phi'(0) a^2 / (2
/// (phi(a) - phi(0) - phi'(0) a)). Leaves the problem at the best factor tried.
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

/// Factors of the tangent, or of an earlier one as long as these may be used.
class TangentFactors {
 public:
  TangentFactors(NonlinearProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                 NewtonWorkspace& work)
      : problem_(problem), solver_(solver), options_(options), work_(work) {}

  /// Provides factors for the iterate last evaluated; `contracts`: the last step has reduced the residual sufficiently.
  /// False if the tangent is singular.
  bool prepare(bool contracts) {
    if (!options_.reuses_tangent) return work_.has_tangent = solver_.factorize(problem_.tangent());
    const std::uint64_t kind = problem_.tangent_kind();
    const std::uint64_t family = problem_.tangent_family();
    const bool has_family = work_.has_tangent && work_.tangent_family == family;
    const bool has_kind = has_family && work_.tangent_kind == kind;
    if (has_kind && contracts) return true;
    const bool states_alone = has_family && !has_kind && state_changes_ < options_.max_state_changes;
    if (states_alone) ++state_changes_;
    work_.has_tangent = states_alone ? solver_.factorize_trailing(problem_.tangent_with_updated_contacts())
                                     : solver_.factorize(problem_.tangent());
    work_.tangent_kind = kind;
    work_.tangent_family = family;
    return work_.has_tangent;
  }

  /// Keeps the factors for the next solve, unless this one took too many iterations.
  void end(int iterations) {
    if (iterations - state_changes_ > options_.good_iterations) work_.has_tangent = false;
  }

 private:
  NonlinearProblem& problem_;
  LinearSolver& solver_;
  const NewtonOptions& options_;
  NewtonWorkspace& work_;
  int state_changes_ = 0;
};

bool has_stagnated(const ResidualNorm& now, const ResidualNorm& before, const NewtonOptions& options) {
  return now.worst > 1.0 && now.over_rounding <= 1.0 && now.worst > options.stagnation * before.worst;
}

}  // namespace

std::string times_tolerance(double worst) {
  return std::isnan(worst) ? "not a number" : fmt::format("{:.3g} times its tolerance", std::abs(worst));
}

ResidualNorm choose_start(NonlinearProblem& problem, const NewtonOptions& options, Vector& r) {
  const ResidualNorm first = problem.evaluate(r);
  if (options.other_guess == nullptr || first.worst < options.poor_guess_residual) return first;
  problem.advance(*options.other_guess, 1.0);
  const ResidualNorm other = problem.evaluate(r);
  if (other.square < first.square) return other;
  problem.advance(*options.other_guess, -1.0);
  return problem.evaluate(r);
}

NewtonReport solve_newton(NonlinearProblem& problem, LinearSolver& solver, const NewtonOptions& options,
                          NewtonWorkspace& work) {
  const FlushDenormals flush;
  NewtonReport report;
  TangentFactors factors(problem, solver, options, work);
  report.residual = choose_start(problem, options, work.r);
  bool contracts = true;
  while (!report.stagnated &&
         !(report.residual.worst <= (report.iterations == 0 ? options.guess_tolerance : 1.0))) {
    if (report.iterations == options.max_iterations || !std::isfinite(report.residual.square)) return report;
    if (report.iterations >= options.patience && !contracts) return report;
    if (!factors.prepare(contracts)) return report;
    if (report.iterations == options.iterations_before_exclusion &&
        problem.exclude_unreachable_residual(solver)) {
      report.residual = problem.evaluate(work.r);
      if (report.residual.worst <= 1.0) break;
    }
    work.dx = -work.r;
    solver.solve(std::span(work.dx.data(), work.dx.size()));
    ++report.iterations;
    if (!work.dx.allFinite()) return report;
    const ResidualNorm before = report.residual;
    problem.advance(work.dx, 1.0);
    report.residual = problem.evaluate(work.r);
    contracts = report.residual.square <= options.good_contraction * options.good_contraction * before.square;
    report.stagnated = has_stagnated(report.residual, before, options);
    if (report.stagnated) break;
    const bool grew = !(report.residual.square <= before.square) && !(report.residual.worst <= 1.0);
    const bool is_lost = !std::isfinite(report.residual.square);
    if (grew && (is_lost || report.iterations > options.full_steps)) {
      ++report.line_searches;
      report.residual = search_along(problem, work, before, report.residual);
      report.stagnated = has_stagnated(report.residual, before, options);
    }
  }
  factors.end(report.iterations);
  report.converged = true;
  return report;
}

}  // namespace picus
