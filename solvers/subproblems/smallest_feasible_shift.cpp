#include <picus/solvers/subproblems/smallest_feasible_shift.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

constexpr int max_rounds = 12;
/// The violation has converged if its relative change is below this, or its change is within the tolerance.
constexpr double settled = 1e-4;
/// Rows to which other rows leave hardly any freedom creep: their violation falls by less than this part in a round, and
/// hardly less than in the round before. Balls nearly in line that a plate presses would escape sideways, by more in
/// each round and in the end nearly infinitely fast. Creeping rows count as incompatible, also in shorter steps, if
/// much of their first violation is left (compatible ones lose it at once). After all rounds any change below this part
/// counts as creeping.
constexpr double creeping = 5e-2;
constexpr double hardly_less = 0.9;  ///< part of the change of the round before
constexpr double much = 0.1;         ///< part of the first violation
/// A violation of up to this many tolerances may be due to jammed contacts rather than incompatible rows; if the step
/// may still be cut, that is tried first.
constexpr double doubtful = 1e3;
/// Compliances that are tried where a round is not solved with shift_compliance.
constexpr double largest_compliance = 10;
constexpr double compliance_factor = 10;
/// Where nothing is driven rows mostly are compatible, and the compliance falls from round to round, down to this:
/// contacts of a light body below a heavy one need multipliers that are far too large for the effective masses of their
/// rows. Features of surfaces, for example both faces of a plate that a bullet hits, are in conflict where the violation
/// does not change with the compliance.
constexpr double least_compliance = 1e-10;

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

/// The result of a round: its multipliers x, and their increment d in the round.
struct Point {
  Vector x, d;
  double compliance = shift_compliance;
  double largest = 0;  ///< violation, in tolerances
  double moved = 0;    ///< largest change of a violation in the round, in tolerances
  bool is_settled = false;
  Vector shift() const { return compliance * d; }
};

/// The smallest admissible multipliers along d, plus k s; contacts are the last rows.
Vector least_multipliers(const ContactProblem& problem, const Point& point) {
  const Vector& x = point.x;
  const Vector& d = point.d;
  double t = std::max(0.0, x.dot(d) / d.squaredNorm());
  const Eigen::Index first = x.size() - problem.contact_multipliers().size();
  for (const ContactCone& cone : problem.cones()) {
    if (cone.is_candidate)
      t = largest_step(cone, x.data() + first + cone.first_row, d.data() + first + cone.first_row, t);
  }
  return x - std::max(0.0, t - point.compliance) * d;
}

/// The search for the smallest feasible shift. Solves that fail may end far away, where changes of the unknowns could
/// be undone only up to large rounding errors: the iterate is then set up again from the initial guess.
class ShiftSearch {
 public:
  ShiftSearch(ContactProblem& problem, const RelaxedSolves& solves)
      : problem_(problem), solves_(solves), tolerance_(problem.row_tolerances()) {}

  SmallestFeasibleShift run(bool must_settle);

 private:
  Vector none() const { return Vector::Zero(tolerance_.size()); }
  double measure(const Vector& y) const { return y.cwiseQuotient(tolerance_).lpNorm<Eigen::Infinity>(); }
  /// Solves from the last solution; if that fails, the problem is restored to it.
  bool solve(const Vector& shift, double compliance) {
    problem_.relax(shift, compliance);
    if (solves_.solve(Effort::all, change_)) {
      solution_ += change_;
      return true;
    }
    restore();
    return false;
  }
  void restore() {
    solves_.begin();
    problem_.advance(solution_, 1.0);
  }
  bool solve_round(const Vector& before);
  Point reached_from(const Point& last) const;
  bool is_incompatible(const Point& point, const Point& last, bool is_last) const;
  SmallestFeasibleShift end_at(const Point& point);

  ContactProblem& problem_;
  const RelaxedSolves& solves_;
  Vector tolerance_;
  Vector solution_;  ///< the last iterate that solved a problem, relative to the initial guess
  Vector change_;
  double compliance_ = shift_compliance;
  double first_violation_ = 0;  ///< in tolerances
};

/// Solves a round that begins with the multipliers `before`. If that fails, larger compliances, with which bodies
/// hardly interact, are tried and then reduced towards the present one; the compliance of further rounds is the
/// smallest with which the problem was solved.
bool ShiftSearch::solve_round(const Vector& before) {
  const double wanted = compliance_;
  while (!solve(-compliance_ * before, compliance_)) {
    if (compliance_ >= largest_compliance) return false;
    compliance_ *= compliance_factor;
  }
  while (compliance_ > wanted) {
    const double less = compliance_ / compliance_factor;
    if (!solve(-less * before, less)) return true;
    compliance_ = less;
  }
  return true;
}

/// Solves the problem with the shift of a round, which its iterate solves already: with the smallest multipliers if the
/// shift has converged and these can be found, otherwise with its own.
SmallestFeasibleShift ShiftSearch::end_at(const Point& point) {
  const Vector s = point.shift();
  Index worst = 0;
  const double largest = s.cwiseQuotient(tolerance_).cwiseAbs().maxCoeff(&worst);
  const Index unknown = largest > 1.0 ? problem_.size() - count_of(s) + worst : -1;
  if (point.is_settled && largest > 1.0) {
    problem_.relax(s, 0.0);
    problem_.set_row_multipliers(least_multipliers(problem_, point));
    if (solves_.solve(Effort::some, change_)) return {.is_solved = true, .unknown = unknown};
    restore();
  }
  return {.is_solved = solve(s, 0.0), .unknown = unknown};
}

Point ShiftSearch::reached_from(const Point& last) const {
  Point point{.x = problem_.row_multipliers(), .compliance = compliance_};
  point.d = point.x - last.x;
  point.largest = measure(point.shift());
  point.moved = measure(point.shift() - last.shift());
  point.is_settled = point.largest <= 1.0 || point.moved <= std::max(1.0, settled * point.largest);
  return point;
}

bool ShiftSearch::is_incompatible(const Point& point, const Point& last, bool is_last) const {
  if (!problem_.is_driven()) return point.is_settled && last.is_settled && point.compliance < last.compliance;
  const bool is_much = point.largest > std::max(doubtful, much * first_violation_);
  const bool is_slow = point.moved <= creeping * point.largest;
  return point.is_settled || (is_much && is_slow && (is_last || point.moved >= hardly_less * last.moved));
}

SmallestFeasibleShift ShiftSearch::run(bool must_settle) {
  solution_ = Vector::Zero(problem_.size());
  Point last{.x = problem_.row_multipliers(), .d = none()};
  for (int round = 1; round <= max_rounds; ++round) {
    if (!solve_round(last.x)) {
      if (must_settle || round == 1) return {};
      return end_at(last);
    }
    const Point point = reached_from(last);
    if (round == 1) first_violation_ = point.largest;
    if (point.largest <= 1.0) {  // compatible rows: no relaxation needed
      if (solve(none(), 0.0)) return {.is_solved = true};
      if (must_settle) return {};
    }
    if (point.is_settled && must_settle && point.largest <= doubtful) return {};
    const bool is_last = round == max_rounds;
    if (is_incompatible(point, last, is_last) || (is_last && !must_settle)) return end_at(point);
    if (!problem_.is_driven()) compliance_ = std::max(compliance_ / compliance_factor, least_compliance);
    last = point;
  }
  return {};
}

}  // namespace

SmallestFeasibleShift find_smallest_feasible_shift(ContactProblem& problem, bool must_settle,
                                                   const RelaxedSolves& solves) {
  if (problem.row_tolerances().size() == 0) return {};
  return ShiftSearch(problem, solves).run(must_settle);
}

}  // namespace picus::solvers
