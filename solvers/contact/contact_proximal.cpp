#include <picus/solvers/contact/contact_proximal.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// The first epsilon and its bounds. With 1e-2 to 1 all of 48 random problems of 40 and 80 contacts, most with redundant rows,
/// are solved, in 9 to 13 iterations on average; with 1e-3 44 of them, with 1e-4 40, and then the factors of
/// contact_newton.cpp matter, too. Where Newton's method cycles at 1e-2, as among spheres wedged in a box, proximal points
/// with the largest epsilon lead to a region where it does not.
constexpr double first_shift = 1e-2;
constexpr double least_shift = 1e-7;
constexpr double largest_shift = 10.0;
/// Newton iterations of one proximal point: if few suffice epsilon is reduced for the next one, if the limit does not
/// suffice it is increased.
constexpr int few_point_iterations = 3;
constexpr int max_point_iterations = 8;
/// Reduced more slowly than increased, as a proximal point that is not found costs all of its iterations.
constexpr double shift_reduction = 0.5;
constexpr double shift_growth = 3.0;
/// Proximal term of Newton's method itself, which that of the proximal points makes unnecessary. With the usual 1e-3, which
/// is more than most of them have, points take twice as many iterations, and 1 of ten jammed problems of FCLIB's
/// collection is solved instead of 10.
constexpr double own_epsilon = 1e-8;
/// A proximal point is solved to this fraction of the residual of the problem itself.
constexpr double point_share = 0.1;

}  // namespace

ContactNewtonReport ContactProximal::solve(const DelassusProblem& problem, Vector& P,
                                           const ContactProximalOptions& options) {
  const DelassusOperator& W = problem.W;
  ContactNewtonReport report;
  y_.resize(W.row_count());
  r_.resize(W.row_count());
  double residual = weighted_residual(problem, P, y_, r_).worst;
  report.residual = residual;
  best_ = P;
  double epsilon = first_shift;
  double shift = 0.0;
  shifted_ = W;
  while (report.residual > options.tolerance && report.iterations < options.max_iterations) {
    shifted_b_ = problem.b;
    for (Index c = 0; c < W.contact_count(); ++c) {
      shifted_.shift_diagonal(c, (epsilon - shift) / problem.cones[c].k);
      shifted_b_.segment(W.first_row(c), W.rows(c)) -=
          epsilon / problem.cones[c].k * P.segment(W.first_row(c), W.rows(c));
    }
    shift = epsilon;
    const int left = options.max_iterations - report.iterations;
    const ContactNewtonReport point =
        newton_.solve({problem.cones, shifted_, shifted_b_, problem.weight}, P,
                      {.max_iterations = std::min(max_point_iterations, left),
                       .tolerance = std::max(point_share * options.tolerance, point_share * residual),
                       .first_epsilon = own_epsilon});
    if (point.iterations == 0) break;
    report.iterations += point.iterations;
    residual = weighted_residual(problem, P, y_, r_).worst;
    if (!std::isfinite(residual)) break;
    if (residual < report.residual) {
      report.residual = residual;
      best_ = P;
    }
    if (!point.converged)
      epsilon = std::min(largest_shift, shift_growth * epsilon);
    else if (point.iterations <= few_point_iterations)
      epsilon = std::max(least_shift, shift_reduction * epsilon);
  }
  P = best_;
  report.converged = report.residual <= options.tolerance;
  return report;
}

}  // namespace picus::solvers
