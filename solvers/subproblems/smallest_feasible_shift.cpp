#include <picus/solvers/subproblems/smallest_feasible_shift.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

constexpr int max_rounds = 12;
/// The violation has converged if its relative change is below this, or its change is within the tolerance.
constexpr double settled = 1e-4;
/// A violation of up to this many tolerances may be due to jammed contacts rather than incompatible rows; if the step
/// may still be cut, that is tried first.
constexpr double doubtful = 1e3;

/// Distance measure of x - t d from the boundary of the cone of a contact: concave in t, negative outside.
double margin(const ContactCone& cone, const double* x, const double* d, double t) {
  const double normal = x[0] - t * d[0];
  const auto length = [&](Index first, Index end) {
    double square = 0;
    for (Index i = first; i < end; ++i) square += (x[i] - t * d[i]) * (x[i] - t * d[i]);
    return std::sqrt(square);
  };
  const Index first_rolling = cone.rows - cone.rolling_rows;
  const double friction = std::max(length(1, first_rolling), length(first_rolling, cone.rows));
  return cone.rows == 1 || cone.mu == 0 ? normal : std::min(normal, cone.mu * normal - friction);
}

/// The largest t up to `most` with x - t d in the cone.
double largest_step(const ContactCone& cone, const double* x, const double* d, double most) {
  // Rounding error by which sliding contacts may be outside of their cones.
  const double rounding = 1e-9 * std::max(1.0, cone.mu) * std::abs(x[0]);
  if (margin(cone, x, d, most) >= -rounding) return most;
  double low = 0, high = most;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (margin(cone, x, d, middle) >= -rounding ? low : high) = middle;
  }
  return low;
}

/// The smallest admissible multipliers along d; x are those of all rows, with contacts last.
Vector least_multipliers(const ContactProblem& problem, const Vector& x, const Vector& d) {
  double t = std::max(0.0, x.dot(d) / d.squaredNorm());
  const Eigen::Index first = x.size() - problem.contact_multipliers().size();
  for (const ContactCone& cone : problem.cones()) {
    if (cone.is_candidate)
      t = largest_step(cone, x.data() + first + cone.first_row, d.data() + first + cone.first_row, t);
  }
  return x - std::max(0.0, t - shift_compliance) * d;
}

}  // namespace

SmallestFeasibleShift find_smallest_feasible_shift(ContactProblem& problem, bool must_settle,
                                                   const std::function<bool()>& solve) {
  const Vector tolerance = problem.row_tolerances();
  if (tolerance.size() == 0) return {};
  const auto measure = [&](const Vector& y) { return y.cwiseQuotient(tolerance).lpNorm<Eigen::Infinity>(); };
  Vector x_before = problem.row_multipliers();
  Vector s_before = Vector::Zero(tolerance.size());
  for (int round = 1; round <= max_rounds; ++round) {
    problem.relax(-shift_compliance * x_before, shift_compliance);
    if (!solve()) return {};
    const Vector x = problem.row_multipliers();
    const Vector s = shift_compliance * (x - x_before);
    Eigen::Index worst = 0;
    const double largest = s.cwiseQuotient(tolerance).cwiseAbs().maxCoeff(&worst);
    const bool is_settled = largest <= 1.0 || measure(s - s_before) <= std::max(1.0, settled * largest);
    if (largest <= 1.0) {  // compatible rows: no relaxation needed
      problem.relax(Vector::Zero(s.size()), 0.0);
      if (solve()) return {.is_solved = true};
      if (must_settle) return {};
    }
    if (is_settled && must_settle && largest <= doubtful) return {};
    if (is_settled || (round == max_rounds && !must_settle)) {
      if (is_settled && largest > 1.0)
        problem.set_row_multipliers(least_multipliers(problem, x, x - x_before));
      problem.relax(s, 0.0);
      const Eigen::Index unknown = largest > 1.0 ? problem.size() - s.size() + worst : -1;
      return {.is_solved = solve(), .unknown = static_cast<Index>(unknown)};
    }
    x_before = x;
    s_before = s;
  }
  return {};
}

}  // namespace picus::solvers
