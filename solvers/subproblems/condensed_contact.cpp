#include <picus/solvers/contact/interior_point.hpp>
#include <picus/solvers/subproblems/condensed_contact.hpp>

#include <cmath>
#include <optional>
#include <vector>

namespace picus::solvers {
namespace {

/// Newton iterations from the solution of the interior-point method.
constexpr int polishing_iterations = 8;

/// Number of consecutive rounds without halving the smallest residual after which the method gives up.
constexpr int max_fruitless_rounds = 3;

/// From this number of contacts on sparse factorisations are tried, if at most this share of all pairs is coupled.
/// Dense ones, whose time grows with the cube of the number of contacts, have pivots and are quick for fewer.
constexpr std::size_t least_for_sparse = 100;
constexpr double largest_share = 0.1;

void apply_inverse(LinearSolver& solver, Vector& x) {
  solver.solve(std::span(x.data(), x.size()));
}

/// The problem linearised at its current iterate and condensed to its contact multipliers P.
class CondensedProblem {
 public:
  /// `solver` holds factors of the tangent with fixed contact multipliers, `r` is the residual.
  CondensedProblem(ContactProblem& problem, LinearSolver& solver, const Vector& r)
      : problem_(&problem),
        solver_(&solver),
        P_before_(problem.contact_multipliers()),
        dx_(problem.size()),
        response_(P_before_.size()),
        column_of_(P_before_.size(), -1) {
    r_ = -r;
    for (Index row = 0; row < P_before_.size(); ++row) r_[problem.contact_unknown(row)] = 0.0;
  }

  /// Solves it; returns the change of the unknowns.
  const Vector& solve() {
    Vector P = Vector::Zero(P_before_.size());
    free_motion_ = motion_at(P);
    choose([&](const ContactCone& cone) {
      return free_motion_[cone.first_row] < 0 || P_before_[cone.first_row] > 0;
    });
    while (true) {
      add_columns();
      solve_contacts(P);
      const Vector y = motion_at(P);
      // Contacts that have not been considered may close now.
      if (!choose([&](const ContactCone& cone) { return y[cone.first_row] < 0; })) return dx_;
    }
  }

 private:
  /// Gaps or rates with the multipliers P; sets dx_ to the corresponding change of the unknowns.
  Vector motion_at(const Vector& P) {
    dx_ = r_;
    for (Index row = 0; row < P.size(); ++row)
      dx_[problem_->contact_unknown(row)] = problem_->fixed_multiplier_row(row, P[row] - P_before_[row]);
    apply_inverse(*solver_, dx_);
    problem_->contact_response(dx_, response_);
    return problem_->contact_motion() + response_;
  }

  /// Adds candidate contacts to those considered; returns whether there are new ones.
  template <class Condition>
  bool choose(const Condition& takes_part) {
    const std::size_t before = chosen_.size();
    for (const ContactCone& cone : problem_->cones()) {
      Index& column = column_of_[cone.first_row];
      if (!cone.is_candidate || column >= 0 || !takes_part(cone)) continue;
      chosen_.push_back(cone);
      column = count_of(rows_);
      chosen_.back().first_row = column;
      for (Index i = 0; i < cone.rows; ++i) rows_.push_back(cone.first_row + i);
    }
    return chosen_.size() > before;
  }

  void add_columns() {
    const auto before = columns_of(columns_);
    columns_.conservativeResize(P_before_.size(), count_of(rows_));
    for (Index c = before; c < columns_.cols(); ++c) {
      const Index row = rows_[c];
      dx_.setZero();
      dx_[problem_->contact_unknown(row)] = problem_->fixed_multiplier_row(row, 1.0);
      apply_inverse(*solver_, dx_);
      problem_->contact_response(dx_, response_);
      columns_.col(c) = response_;
    }
  }

  void solve_contacts(Vector& P) {
    Vector chosen = P(rows_);
    const Vector free_motion = free_motion_(rows_);
    if (const std::optional<DelassusOperator> sparse = find_sparse_operator()) {
      interior_point_.solve(chosen_, *sparse, free_motion, chosen);
    } else {
      solve_interior_point(chosen_, columns_(rows_, Eigen::all), free_motion, chosen);
    }
    P(rows_) = chosen;
  }

  /// The compliance in blocks, if many contacts are chosen of which few share bodies.
  std::optional<DelassusOperator> find_sparse_operator() const {
    if (chosen_.size() < least_for_sparse) return std::nullopt;
    const double most = largest_share * static_cast<double>(chosen_.size() * chosen_.size());
    std::size_t blocks = 0;
    DelassusOperator result;
    for (const ContactCone& own : chosen_) {
      result.add_contact(own.rows);
      for (Index i = 0; i < count_of(chosen_); ++i) {
        const ContactCone& other = chosen_[i];
        const auto block = columns_.block(rows_[own.first_row], other.first_row, own.rows, other.rows);
        if (block.isZero(0.0)) continue;
        result.add_to(i, other.rows) = block;
        if (static_cast<double>(++blocks) > most) return std::nullopt;
      }
    }
    return result;
  }

  ContactProblem* problem_;
  LinearSolver* solver_;
  Vector P_before_, r_, dx_, response_, free_motion_;
  std::vector<Index> column_of_;     ///< of the normal row of a contact, -1: not considered
  std::vector<ContactCone> chosen_;  ///< with consecutive rows
  std::vector<Index> rows_;          ///< contact rows of these
  Eigen::MatrixXd columns_;          ///< compliance: motions under unit multipliers
  InteriorPointSolver interior_point_;
};

}  // namespace

NewtonReport solve_condensed(ContactProblem& problem, TracedProblem& traced, LinearSolver& solver,
                             int max_iterations, NewtonWorkspace& work) {
  NewtonReport report;
  work.has_tangent = false;
  report.residual = traced.evaluate(work.r);
  int fruitless = 0;
  for (int round = 0; round < max_iterations && !(report.residual.worst <= 1.0); ++round) {
    if (fruitless == max_fruitless_rounds || !std::isfinite(report.residual.square)) break;
    const double best_before = traced.best_residual();
    if (!solver.factorize(problem.tangent_with(ContactRows::fixed))) break;
    ++report.iterations;
    const Vector dx = CondensedProblem(problem, solver, work.r).solve();
    if (!dx.allFinite()) break;
    traced.advance(dx, 1.0);
    const NewtonReport polished =
        solve_newton(traced, solver, {.max_iterations = polishing_iterations, .full_steps = 0}, work);
    report.iterations += polished.iterations;
    report.line_searches += polished.line_searches;
    report.residual = polished.residual;
    fruitless = traced.best_residual() < 0.5 * best_before ? 0 : fruitless + 1;
    if (polished.converged || report.residual.worst <= traced.best_residual()) continue;
    traced.return_to_best();
    report.residual = traced.evaluate(work.r);
  }
  report.converged = report.residual.worst <= 1.0;
  if (!report.converged) {
    traced.return_to_best();
    report.residual = traced.evaluate(work.r);
  }
  return report;
}

}  // namespace picus::solvers
