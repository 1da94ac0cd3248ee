#include <picus/solvers/newton/flush_denormals.hpp>
#include <picus/solvers/newton/semismooth_newton.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus {

using solvers::FlushDenormals;

namespace {

/// Reductions of the step in a line search, each to a half or less. Steps below a sixteenth no longer change any
/// contact state, so that the boundary between sticking and sliding contacts does not advance: with 40 reductions the
/// equilibria of a rope that slides on a drum are not found.
constexpr int max_reductions = 4;

/// Accuracy of iterative solvers in the first iteration, and where states of contacts are still unknown.
constexpr double first_accuracy = 1e-3;
constexpr double first_accuracy_with_states = 1e-2;
/// The best accuracy, of the last iterations, used if the residual decreases accordingly: an evaluation of the residual
/// costs as much as several iterations of a solver.
constexpr double last_accuracy = 1e-4;
/// An iteration counts as limited by the accuracy of its linear solution if the remaining fraction of the residual, in
/// the norm of the tolerances, is at most this multiple of the accuracy; otherwise it is limited by the tangent.
constexpr double limited_by_accuracy = 30;
/// Fraction of the tolerance that may remain after a linear solution.
constexpr double part_of_tolerance = 0.1;

/// Addition to NewtonOptions::good_iterations where Gauss-Seidel sweeps are the linear solver: a new tangent
/// costs as much as three iterations.
constexpr int more_good_iterations = 2;

/// Chooses the accuracy of iterative solvers in each iteration: no better than has an effect on the next residual.
class LinearAccuracy {
 public:
  explicit LinearAccuracy(const NonlinearProblem& problem)
      : first_(problem.has_states() ? first_accuracy_with_states : first_accuracy), useful_(first_) {}

  /// The accuracy of the next solution; `worst`: the present residual.
  double choose(double worst) const {
    return std::max(useful_, std::min(part_of_tolerance, part_of_tolerance / worst));
  }
  /// Records the fraction of the residual that remains after that solution.
  void note(double contraction) {
    useful_ = contraction <= limited_by_accuracy * useful_
                  ? std::max(last_accuracy, 0.1 * useful_)
                  : std::min(first_, contraction / limited_by_accuracy);
  }

 private:
  double first_, useful_;
};

/// Line search: minimises phi = r^T r along the full step just taken, by secant steps on its derivative: with phi(0),
/// phi'(0) = -2 phi(0) for a Newton direction and phi(a) known, the secant of phi' vanishes at -phi'(0) a^2 / (2
/// (phi(a) - phi(0) - phi'(0) a)). Leaves the problem at the best factor tried, `best_at`.
ResidualNorm search_along(NonlinearProblem& problem, NewtonWorkspace& work, const ResidualNorm& before,
                          const ResidualNorm& full, double& best_at) {
  double at = 1.0;
  best_at = 1.0;
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

  /// Provides factors for the iterate last evaluated; `contraction`: fraction of the residual that remains after the
  /// last step. False if the tangent is singular.
  bool prepare(double contraction) {
    if (!options_.reuses_tangent) return work_.has_tangent = solver_.factorize(problem_.tangent());
    const std::uint64_t kind = problem_.tangent_kind();
    const bool has_family = this->has_family();
    const bool has_kind = has_family && work_.tangent_kind == kind;
    const bool contracts = contraction <= options_.good_contraction;
    const bool slides = solver_.sweeps() && has_kind && contracts &&
                        contraction > options_.quick_contraction && problem_.has_sliding_contacts();
    if (has_kind && contracts && !slides) return true;
    const bool changes_state = has_family && !has_kind && state_changes_ < options_.max_state_changes;
    if (changes_state) ++state_changes_;
    return keep(kind, changes_state || slides
                          ? solver_.factorize_trailing(problem_.tangent_with_updated_contacts())
                          : solver_.factorize(problem_.tangent()));
  }

  /// The same for the initial guess, whatever the states of contacts.
  bool prepare_first() {
    return has_family() || keep(problem_.tangent_kind(), solver_.factorize(problem_.tangent()));
  }

  /// Keeps the factors for the next solve, unless this one took too many iterations.
  void end(int iterations) {
    const int good = options_.good_iterations + (solver_.sweeps() ? more_good_iterations : 0);
    if (iterations - state_changes_ > good) work_.has_tangent = false;
  }

 private:
  bool has_family() const { return work_.has_tangent && work_.tangent_family == problem_.tangent_family(); }
  bool keep(std::uint64_t kind, bool is_regular) {
    work_.tangent_kind = kind;
    work_.tangent_family = problem_.tangent_family();
    return work_.has_tangent = is_regular;
  }

  NonlinearProblem& problem_;
  LinearSolver& solver_;
  const NewtonOptions& options_;
  NewtonWorkspace& work_;
  int state_changes_ = 0;
};

/// Moves to the iterate that the problem predicts if that is better; returns the fraction of the residual that remains,
/// zero if the iterate is unchanged.
double follow_prediction(NonlinearProblem& problem, NewtonWorkspace& work, ResidualNorm& residual) {
  if (!problem.predict(work.r, work.dx)) return 0.0;
  const ResidualNorm before = residual;
  problem.advance(work.dx, 1.0);
  residual = problem.evaluate(work.r);
  if (residual.square < before.square) return std::sqrt(residual.square / before.square);
  problem.advance(work.dx, -1.0);
  residual = problem.evaluate(work.r);
  return 0.0;
}

/// The iterate with the smallest residual since the full steps.
class BestIterate {
 public:
  BestIterate(NonlinearProblem& problem, const NewtonOptions& options, NewtonWorkspace& work)
      : problem_(problem), options_(options), work_(work) {}

  /// The present iterate is the best one.
  void set(const ResidualNorm& residual, int iteration) {
    square_ = residual.square;
    iteration_ = iteration;
    is_left_ = false;
  }
  /// After a step of `factor` dx.
  void note(const ResidualNorm& residual, int iteration, double factor) {
    if (iteration <= options_.full_steps || residual.square < square_) return set(residual, iteration);
    if (!std::exchange(is_left_, true)) work_.since_best.setZero();
    work_.since_best += factor * work_.dx;
  }
  bool is_too_old(int iteration) const { return iteration - iteration_ >= options_.watchdog; }
  /// Returns to it after a failed solve.
  const NewtonReport& restore(NewtonReport& report) {
    if (!is_left_) return report;
    problem_.advance(work_.since_best, -1.0);
    report.residual = problem_.evaluate(work_.r);
    return report;
  }

 private:
  NonlinearProblem& problem_;
  const NewtonOptions& options_;
  NewtonWorkspace& work_;
  double square_ = 0.0;
  int iteration_ = 0;
  bool is_left_ = false;
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
  LinearAccuracy accuracy(problem);
  report.residual = choose_start(problem, options, work.r);
  double contraction = 0.0;
  bool contracts = true;
  if (options.reuses_tangent && report.residual.worst > options.guess_tolerance &&
      std::isfinite(report.residual.square)) {
    if (!factors.prepare_first()) return report;
    if (solver.sweeps()) contraction = follow_prediction(problem, work, report.residual);
    contraction = std::min(contraction, options.good_contraction);
  }
  BestIterate best(problem, options, work);
  best.set(report.residual, 0);
  while (!report.stagnated &&
         !(report.residual.worst <= (report.iterations == 0 ? options.guess_tolerance : 1.0))) {
    const bool is_cycling = report.iterations >= options.patience && !contracts;
    if (report.iterations == options.max_iterations || !std::isfinite(report.residual.square) || is_cycling ||
        best.is_too_old(report.iterations) || !factors.prepare(contraction))
      return best.restore(report);
    if (report.iterations == problem.iterations_before_exclusion() &&
        problem.exclude_unreachable_residual(solver)) {
      report.residual = problem.evaluate(work.r);
      best.set(report.residual, report.iterations);
      if (report.residual.worst <= (report.iterations == 0 ? options.guess_tolerance : 1.0)) break;
    }
    work.dx = -work.r;
    // An iteration with a new tangent costs more than an accurate solution.
    if (options.reuses_tangent) solver.set_accuracy(accuracy.choose(report.residual.worst));
    solver.solve(std::span(work.dx.data(), work.dx.size()));
    problem.leave_out_excluded_rows(solver, work.dx);
    ++report.iterations;
    if (!work.dx.allFinite()) return best.restore(report);
    const ResidualNorm before = report.residual;
    double factor = 1.0;
    problem.advance(work.dx, 1.0);
    report.residual = problem.evaluate(work.r);
    contraction = std::sqrt(report.residual.square / before.square);
    accuracy.note(contraction);
    contracts = contraction <= options.good_contraction;
    report.stagnated = has_stagnated(report.residual, before, options);
    if (report.stagnated) break;
    const bool grew = !(report.residual.square <= before.square) && !(report.residual.worst <= 1.0);
    const bool is_lost = !std::isfinite(report.residual.square);
    if (grew && (is_lost || report.iterations > options.full_steps)) {
      ++report.line_searches;
      report.residual = search_along(problem, work, before, report.residual, factor);
      report.stagnated = has_stagnated(report.residual, before, options);
    }
    best.note(report.residual, report.iterations, factor);
  }
  factors.end(report.iterations);
  report.converged = true;
  return report;
}

}  // namespace picus
