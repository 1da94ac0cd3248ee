#include <picus/solvers/contact/contact_solver.hpp>
#include <picus/solvers/subproblems/contact_condensation.hpp>
#include <picus/solvers/subproblems/contact_sweeps.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace picus {

using solvers::ContactCondensation;
using solvers::ContactSolver;
using solvers::ContactSolverOptions;
using solvers::ContactSolverReport;
using solvers::DelassusOperator;
using solvers::DelassusProblem;

namespace {

/// Fraction of the tolerance of a row for the residual of the contact problem: a last Newton iteration would leave as
/// little, and structures at rest must not creep. It is larger where rounded coordinates are: redundant contacts cannot
/// all be closed more accurately than these are, and which ones open would change in each step.
constexpr double contact_share = 0.01;
/// The same if the contact solver makes no further progress; the rest is for the nonlinear terms.
constexpr double enough_share = 0.3;
/// A preliminary round solves its contact problem, unless a few sweeps do, only to this fraction of the residual that the
/// linearisation is expected to leave. With 0.5 rounds are more, and take as long in all.
constexpr double part_of_nonlinear = 0.1;
/// What the first linearisation is expected to leave of the residual: those of balls in a heap leave 1e-3 to 1e-4.
constexpr double first_nonlinear = 1e-3;
/// A round that leaves more than this fraction of the smallest residual so far is fruitless, and the last. Where quick
/// methods have stalled in the first round, contacts are redundant: multipliers may move far, and what has been linearised
/// with them, so that this number of fruitless rounds is allowed.
constexpr double least_progress_of_round = 0.5;
constexpr int max_fruitless_rounds = 2;
/// In these rounds the linearisation changes enough for Newton's method to be tried again where it has stalled.
constexpr int first_rounds = 2;
/// A round is also the last if its contact problem was not solved and leaves more than this fraction of the residual:
/// the next one would also fail.
constexpr double contact_part = 0.3;

}  // namespace

class ContactSweeps::Rounds {
 public:
  bool is_decoupled() const { return is_decoupled_; }
  bool has_stalled() const { return has_stalled_; }
  const Vector& change() const { return change_; }
  NewtonReport solve(ContactProblem& problem, const NewtonOptions& options, NewtonWorkspace& work,
                     bool goes_on_when_stalled, const Vector* expected_change);

 private:
  /// How the problem of a round is solved.
  struct Round {
    bool is_quick;      ///< by sweeps and Newton's method only, as far as they lead
    bool skips_newton;  ///< the problem of the last round has not been solved: another start will not help
    bool goes_on_when_stalled;
    double tolerance;               ///< of the contact problem
    double sufficient_residual;     ///< as in ContactSolverOptions
    const Vector* expected_change;  ///< of the multipliers; null: unknown
  };
  /// Solves the linearised problem; reports the residual of the contact problem, and whether it is small enough.
  ContactSolverReport improve(ContactProblem& problem, const Vector& r, Round round);
  bool choose(const ContactProblem& problem, const Vector& y, const Vector& P);
  /// First row of a chosen contact in the problem.
  Index row_of(Index c) const { return condensation_.contacts()[chosen_[c]].first_row; }

  bool is_decoupled_ = true;  ///< the problem decouples without contacts, as far as known
  bool has_stalled_ = false;
  ContactCondensation condensation_;
  const DelassusOperator* W_ = nullptr;  ///< of the chosen contacts
  ContactSolver solver_;
  std::vector<Index> chosen_;
  std::vector<char> is_chosen_;
  std::vector<ContactCone> cones_;
  Vector P_before_, P_, dP_, dx_, y_, free_motion_, change_;
  Vector b_, weight_, chosen_P_, chosen_change_;  ///< of the chosen contacts
};

ContactSweeps::ContactSweeps() : rounds_(std::make_unique<Rounds>()) {}
ContactSweeps::~ContactSweeps() = default;

bool ContactSweeps::is_decoupled() const {
  return rounds_->is_decoupled();
}

bool ContactSweeps::has_stalled() const {
  return rounds_->has_stalled();
}

const Vector& ContactSweeps::change() const {
  return rounds_->change();
}

NewtonReport ContactSweeps::solve(ContactProblem& problem, const NewtonOptions& options,
                                  NewtonWorkspace& work, bool goes_on_when_stalled,
                                  const Vector* expected_change) {
  return rounds_->solve(problem, options, work, goes_on_when_stalled, expected_change);
}

/// Adds contacts that close or carry a force; returns whether there are new ones.
bool ContactSweeps::Rounds::choose(const ContactProblem& problem, const Vector& y, const Vector& P) {
  const std::size_t before = chosen_.size();
  const auto contacts = condensation_.contacts();
  for (Index c = 0; c < count_of(contacts); ++c) {
    const Index row = contacts[c].first_row;
    if (is_chosen_[c] != 0 || !(y[row] < 0 || P[row] > 0)) continue;
    is_chosen_[c] = 1;
    chosen_.push_back(c);
    cones_.push_back(contacts[c]);
  }
  if (chosen_.size() == before) return false;
  W_ = &condensation_.make_operator(chosen_);
  b_.resize(W_->row_count());
  weight_.resize(W_->row_count());
  chosen_P_.resize(W_->row_count());
  for (Index c = 0; c < W_->contact_count(); ++c) {
    cones_[c].first_row = W_->first_row(c);
    const Index row = row_of(c);
    for (Index i = 0; i < cones_[c].rows; ++i) {
      b_[W_->first_row(c) + i] = free_motion_[row + i];
      chosen_P_[W_->first_row(c) + i] = P[row + i];
      weight_[W_->first_row(c) + i] = problem.weight(problem.contact_unknown(row + i));
    }
  }
  return true;
}

ContactSolverReport ContactSweeps::Rounds::improve(ContactProblem& problem, const Vector& r, Round round) {
  P_before_ = problem.contact_multipliers();
  dP_ = -P_before_;
  condensation_.solve(r, dP_, dx_);
  free_motion_ = problem.contact_motion();
  condensation_.add_motion(dx_, free_motion_);
  chosen_.clear();
  cones_.clear();
  is_chosen_.assign(condensation_.contacts().size(), 0);
  P_ = P_before_;
  y_ = free_motion_;
  ContactSolverReport report{.converged = true};
  enum class Method : std::uint8_t { sweeps, newton, thorough } method = Method::sweeps;
  while (true) {
    // Sweeps tell which contacts close besides, before other methods solve.
    if (choose(problem, y_, P_)) {
      method = Method::sweeps;
    } else if (report.converged || method == Method::thorough) {
      return report;
    } else if (method == Method::sweeps && !round.skips_newton) {
      method = Method::newton;
    } else if (round.is_quick) {
      return report;
    } else {
      method = Method::thorough;
      round.skips_newton = false;  // a good start for Newton's method if contacts are added
    }
    ContactSolverOptions options{.tolerance = round.tolerance,
                                 .acceptable_residual = enough_share,
                                 .sufficient_residual = round.sufficient_residual,
                                 .threads = problem.threads()};
    if (round.expected_change != nullptr) {
      chosen_change_.resize(W_->row_count());
      for (Index c = 0; c < W_->contact_count(); ++c)
        chosen_change_.segment(W_->first_row(c), cones_[c].rows) =
            round.expected_change->segment(row_of(c), cones_[c].rows);
      options.expected_change = &chosen_change_;
      round.expected_change = nullptr;  // of the first multipliers only
    }
    const DelassusProblem linear{cones_, *W_, b_, weight_};
    switch (method) {
      case Method::sweeps:
        report = solver_.solve_by_sweeps(linear, chosen_P_, options);
        break;
      case Method::newton:
        report = solver_.solve_by_newton(linear, chosen_P_, options);
        break;
      case Method::thorough:
        report = solver_.solve_thoroughly(linear, chosen_P_, options);
        break;
    }
    P_.setZero();
    for (Index c = 0; c < W_->contact_count(); ++c)
      P_.segment(row_of(c), cones_[c].rows) = chosen_P_.segment(W_->first_row(c), cones_[c].rows);
    dP_ = P_ - P_before_;
    condensation_.solve(r, dP_, dx_);
    y_ = problem.contact_motion();
    condensation_.add_motion(dx_, y_);
    if (method == Method::thorough && !report.converged && !round.goes_on_when_stalled) return report;
  }
}

NewtonReport ContactSweeps::Rounds::solve(ContactProblem& problem, const NewtonOptions& options,
                                          NewtonWorkspace& work, bool goes_on_when_stalled,
                                          const Vector* expected_change) {
  NewtonReport report;
  has_stalled_ = false;
  change_.setZero(problem.size());
  if (!is_decoupled_) return report;
  P_ = problem.contact_multipliers();
  for (const ContactCone& cone : problem.cones()) {
    if (!cone.is_candidate) P_.segment(cone.first_row, cone.rows).setZero();
  }
  problem.set_contact_multipliers(P_);
  report.residual = problem.evaluate(work.r);
  if (report.residual.worst <= options.guess_tolerance) {
    report.converged = true;
    return report;
  }
  const double share = std::clamp(problem.contact_rounding(), contact_share, enough_share);
  double nonlinear = first_nonlinear;
  bool is_quick = true;
  bool may_approximate = true;
  int fruitless = 0;
  int max_fruitless = 0;
  double least = report.residual.worst;
  while (report.iterations < options.max_iterations) {
    if (!std::isfinite(report.residual.square)) break;
    is_decoupled_ = condensation_.factorize(problem);
    if (!is_decoupled_) break;
    ++report.iterations;
    const double before = report.residual.worst;
    const bool may_be_last = before <= 1.0 || report.iterations == options.max_iterations;
    const double sufficient = part_of_nonlinear * nonlinear * before;
    const bool approximates = may_approximate && !may_be_last && sufficient > share;
    const ContactSolverReport contacts = improve(
        problem, work.r,
        {.is_quick = is_quick || approximates,
         .skips_newton = has_stalled_ && report.iterations > first_rounds && !is_quick && !approximates,
         .goes_on_when_stalled = goes_on_when_stalled,
         .tolerance = share,
         .sufficient_residual = approximates ? sufficient : 0.0,
         .expected_change = report.iterations == 1 ? expected_change : nullptr});
    has_stalled_ = !contacts.converged;
    const bool is_preliminary = approximates && contacts.residual > share;
    const bool is_improvised =
        (!is_preliminary || has_stalled_) && std::exchange(is_quick, false) && has_stalled_;
    if (!dx_.allFinite()) break;
    problem.advance(dx_, 1.0);
    report.residual = problem.evaluate(work.r);
    report.converged = report.residual.worst <= 1.0 && !is_preliminary;
    may_approximate =
        may_approximate && !has_stalled_ && report.residual.worst <= least_progress_of_round * before;
    nonlinear = std::max(0.0, report.residual.worst - contacts.residual) / before;
    change_ += dx_;
    // Structures at rest must not creep by what stalled or approximate solves leave.
    if (report.converged && !is_improvised) break;
    if (has_stalled_ && !(report.residual.worst < before)) {  // the linearised step was too long
      problem.advance(dx_, -1.0);
      report.residual = problem.evaluate(work.r);
      change_ -= dx_;
      if (!is_improvised && !is_preliminary) break;
    }
    if (is_improvised) {
      max_fruitless = max_fruitless_rounds;
      continue;
    }
    if (is_preliminary) {
      least = std::min(least, report.residual.worst);
      continue;
    }
    if (has_stalled_ && contacts.residual >= contact_part * report.residual.worst) break;
    fruitless = report.residual.worst <= least_progress_of_round * least ? 0 : fruitless + 1;
    least = std::min(least, report.residual.worst);
    if (fruitless > max_fruitless) break;
  }
  return report;
}

}  // namespace picus
