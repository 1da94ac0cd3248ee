#pragma once

/// The solve of a sub-problem with its remedies: Newton's method first, with several contacts between rigid bodies
/// after sweeps (subproblems/contact_sweeps.hpp); if that stalls, and there are contacts, condensed to the contacts by an
/// interior-point method, again with k and p a hundred times smaller, from another initial guess, condensed without
/// restitution, and with infeasible rows relaxed by the least violation; finally the best iterate of these is accepted
/// if its residual is small enough.

#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/newton/traced_problem.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>
#include <picus/solvers/subproblems/contact_sweeps.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace picus {

/// Settings of a solve.
struct SolveSetting {
  Profile* profile = nullptr;                                       ///< times the solve, unless null
  NewtonOptions newton;                                             ///< for every attempt
  FallbackPolicy policy;                                            ///< allowed remedies
  ContactSolverKind contact_solver = ContactSolverKind::automatic;  ///< for the first attempt
  double scaling = 1.0;                                             ///< k and p of the first attempt
  double regularization = 1e-8;                                     ///< for redundant rows
  const Vector* no_multiplier = nullptr;                            ///< zero, one entry for each contact row
  const Vector* first_guess = nullptr;      ///< initial guess of the contact multipliers
  const Vector* other_guess = nullptr;      ///< alternative one, if the first fails
  const Vector* expected_change = nullptr;  ///< of the multipliers since the last step; null: unknown
  bool sweeps_first = true;  ///< with several contacts; otherwise sweeps come after Newton's method
  bool sweeps_without_remedies = false;  ///< whether they are tried where the policy has no interior points
  bool is_at_rest = false;               ///< hardly any contact slid in the last step
  bool may_accept = true;                ///< whether the best iterate above the tolerance may be accepted
  bool may_accept_stalled = true;        ///< the same if only the multipliers of many contacts are inaccurate
  bool may_cut = false;  ///< whether a shorter step is tried next: least violations must settle
};

/// Solvers and buffers for a problem.
struct SolveTools {
  LinearSolver& solver;   ///< has analysed the pattern of its tangent
  NewtonWorkspace& work;  ///< buffers
  ContactSweeps& sweeps;  ///< for problems with several contacts or more
};

/// The solve of one problem; its effort is added to the report of the step and to `total`.
class RemediedSolve {
 public:
  /// All arguments must outlive it.
  RemediedSolve(ContactProblem& problem, const SolveTools& tools, const SolveSetting& setting,
                StepReport& report, SubproblemReport& total)
      : problem_(problem),
        solver_(tools.solver),
        work_(tools.work),
        sweeps_(tools.sweeps),
        setting_(setting),
        report_(report),
        total_(total) {}

  /// `begin()` sets the problem to the initial guess, with the contact multipliers set before. If no attempt converges
  /// the report is that of the best one.
  template <class Begin>
  NewtonReport solve(const Begin& begin) {
    const Profile::Scope clock(setting_.profile, total_.name);
    bool is_begun = false;
    const auto begin_with = [&](const Vector& multiplier) {
      if (std::exchange(is_begun, false) && &multiplier == setting_.first_guess) return;
      problem_.set_contact_multipliers(multiplier);
      begin();
    };
    begin_with(*setting_.first_guess);  // determines which contacts may be closed
    is_begun = true;
    const Count count = count_contacts();
    NewtonOptions newton = setting_.newton;
    if (count == Count::many) newton.max_iterations = std::min(newton.max_iterations, iterations_with_many);
    const bool relaxes_first =
        count != Count::none && setting_.policy.smallest_feasible_shift && has_conflicts();
    if (relaxes_first && relax_conflicting_rows(begin_with)) return best_;
    const NewtonReport first = solve_first(newton, count, begin_with);
    if (first.converged) return first;
    best_ = first;
    if (report_.culprit.empty()) report_.culprit = problem_.describe(first.residual.where);
    if (prefers_step_cut()) return first;
    const FallbackPolicy& policy = setting_.policy;
    const Attempt plain{Fallback::accepted, setting_.scaling, setting_.first_guess, Restitution::complete};
    const auto attempt = [&](const Attempt& trial) {
      if (trial.fallback != Fallback::accepted) ++report_.fallbacks[place_of(trial.fallback)];
      begin_attempt(trial, begin_with);
      trace(trial);
      end_attempt();
    };
    if (count != Count::none) {
      Attempt trial = plain;
      trial.start = setting_.no_multiplier;
      if (policy.interior_point) {
        trial.fallback = Fallback::interior_point;
        attempt(trial);
      }
      if (policy.smaller_scaling && !best_.converged) {
        trial.fallback = Fallback::smaller_scaling;
        trial.scaling = setting_.scaling / scaling_reduction;
        attempt(trial);
        trial.scaling = setting_.scaling;
      }
      if (policy.other_first_guess && !best_.converged) {
        trial.fallback = Fallback::other_first_guess;
        trial.start = setting_.other_guess;
        attempt(trial);
        trial.start = setting_.no_multiplier;
      }
      trial.fallback = Fallback::no_restitution;
      for (const Restitution restitution : {Restitution::of_new_contacts, Restitution::none}) {
        const bool is_near = best_residual_ <= policy.accepted_residual;
        if (!policy.no_restitution || is_near || !problem_.has_restitution()) break;
        trial.restitution = restitution;
        attempt(trial);
      }
    }
    if (best_.converged) return best_;
    if (policy.smallest_feasible_shift && !relaxes_first && !(best_residual_ <= policy.accepted_residual) &&
        relax_conflicting_rows(begin_with))
      return best_;
    if (!setting_.may_accept) return best_residual_ < first.residual.worst ? best_ : first;
    if (!(best_residual_ <= policy.accepted_residual)) attempt(plain);  // which was not traced before
    if (!(best_residual_ <= policy.accepted_residual) && count >= Count::several && sweeps_.is_decoupled()) {
      // Where contacts jam, sweeps approach a solution that no other method finds.
      begin_with(*setting_.other_guess);
      const NewtonReport swept = sweep(newton, true);
      add_solve(total_, swept);
      if (swept.converged) return swept;
      if (swept.residual.worst <= policy.accepted_residual) return accept(swept);
    }
    if (best_.converged) return best_;
    if (best_residual_ <= policy.accepted_residual) {
      begin_attempt(best_attempt_, begin_with);
      problem_.advance(best_increment_, 1.0);
      best_.residual = problem_.evaluate(work_.r);
      if (best_.residual.worst <= policy.accepted_residual)
        best_ = accept(best_);  // rounding may have changed it
      end_attempt();
    }
    return best_;
  }

 private:
  /// The fallback "smaller scaling" divides k and p by this.
  static constexpr double scaling_reduction = 100;

  /// From this number of contacts that may be closed, Newton's method rarely finds their states: it cycles, and the
  /// interior-point method, which costs as much as a handful of iterations, is the first remedy. Both numbers are
  /// chosen so that no test needs a remedy that would not need one otherwise: with 24 contacts blocks of solids take
  /// more iterations and succeed.
  static constexpr std::ptrdiff_t many_contacts = 60;
  static constexpr int iterations_with_many = 12;
  /// From this number on Newton's method is not tried first between rigid bodies: with 16 spheres in a box, 20 to 40
  /// contacts, every second step needed remedies.
  static constexpr std::ptrdiff_t several_contacts = 16;
  /// With few contacts of rigid bodies Newton's method finds the active set at once or cycles, for example when a contact
  /// closes while others stick, in a step ten times as long as usual. Larger k and p mostly break the cycle; if they do not
  /// (jammed contacts), this patience results in 15 iterations in all, including the remedy that succeeds (benchmarks
  /// closing-beside-sticking and woodpecker-large-steps; starting with larger k and p is slower at usual steps).
  static constexpr double larger_scaling = 3;
  static constexpr int patience = 4;
  static constexpr int patience_when_larger = 6;

  enum class Count : std::uint8_t {
    none,
    few,      ///< Newton's method
    several,  ///< between rigid bodies sweeps before Newton's method
    many,     ///< the same; if the sweeps stall, the dense remedies are no more promising
  };
  Count count_contacts() const {
    const std::ptrdiff_t count = std::ranges::count_if(problem_.cones(), &ContactCone::is_candidate);
    if (count == 0) return Count::none;
    switch (setting_.contact_solver) {
      case ContactSolverKind::newton:
        return Count::few;
      case ContactSolverKind::sweeps:
        return Count::many;
      default:
        if (count < several_contacts) return Count::few;
        if (setting_.policy.interior_point) return count < many_contacts ? Count::several : Count::many;
        return setting_.sweeps_without_remedies ? Count::several : Count::few;
    }
  }

  struct Attempt {
    Fallback fallback;
    double scaling;
    const Vector* start;  ///< initial contact multipliers
    Restitution restitution;
  };

  template <class Begin>
  void begin_attempt(const Attempt& attempt, const Begin& begin_with) {
    problem_.set_scaling(attempt.scaling, setting_.regularization);
    problem_.set_restitution(attempt.restitution);
    begin_with(*attempt.start);
  }
  void end_attempt() {
    problem_.set_restitution(Restitution::complete);
    problem_.set_scaling(setting_.scaling, setting_.regularization);
  }
  /// Several contacts of rigid bodies are solved by sweeps, from the multipliers of the last step; where they fail,
  /// Newton's method is used.
  template <class Begin>
  NewtonReport solve_first(const NewtonOptions& newton, Count count, const Begin& begin_with) {
    const bool may_sweep = count >= Count::several && sweeps_.is_decoupled();
    const bool sweeps_first = setting_.sweeps_first || setting_.contact_solver == ContactSolverKind::sweeps;
    if (may_sweep && sweeps_first) {
      const bool stands = setting_.first_guess != setting_.no_multiplier;
      begin_with(stands ? *setting_.first_guess : *setting_.other_guess);
      const NewtonReport swept = sweep(newton);
      if (swept.converged || swept.iterations > 0) add_solve(total_, swept);
      if (swept.converged) return swept;
      // The dense remedies would give the same result, but take seconds.
      has_stalled_ = count == Count::many && sweeps_.has_stalled();
      if (has_stalled_ && setting_.may_accept_stalled &&
          swept.residual.worst <= setting_.policy.accepted_residual)
        return accept(swept);
      if (prefers_step_cut()) return swept;
    }
    if (has_last_forces(newton)) return solve_deformable(newton, begin_with);
    if (count == Count::few) return solve_few(newton, begin_with);
    const NewtonReport first = solve_plain(newton, begin_with);
    if (first.converged || !may_sweep || sweeps_first) return first;
    begin_with(*setting_.other_guess);
    const NewtonReport swept = sweep(newton);
    add_solve(total_, swept);
    return swept.converged ? swept : first;
  }
  template <class Begin>
  NewtonReport solve_plain(const NewtonOptions& newton, const Begin& begin_with) {
    begin_with(*setting_.first_guess);
    const NewtonReport report = solve_newton(problem_, solver_, newton, work_);
    add_solve(total_, report);
    return report;
  }
  /// Newton's method; if it makes no progress between rigid bodies, again with larger k and p, then sweeps, and then
  /// Newton's method from the other guess.
  template <class Begin>
  NewtonReport solve_few(const NewtonOptions& newton, const Begin& begin_with) {
    // With factors of an earlier tangent a single iteration may not contract.
    const bool may_cycle = setting_.policy.interior_point && sweeps_.is_decoupled() && !newton.reuses_tangent;
    if (!may_cycle) return solve_plain(newton, begin_with);
    NewtonOptions impatient = newton;
    impatient.patience = patience;
    const NewtonReport first = solve_plain(impatient, begin_with);
    if (first.converged) return first;
    impatient.patience = patience_when_larger;
    problem_.set_scaling(larger_scaling * setting_.scaling, setting_.regularization);
    const NewtonReport second = solve_plain(impatient, begin_with);
    problem_.set_scaling(setting_.scaling, setting_.regularization);
    if (second.converged) return second;
    if (setting_.contact_solver == ContactSolverKind::newton) return solve_plain(newton, begin_with);
    begin_with(*setting_.other_guess);
    const NewtonReport swept = sweep(newton);
    if (!sweeps_.is_decoupled()) return solve_plain(newton, begin_with);
    add_solve(total_, swept);
    if (swept.converged || setting_.other_guess->isZero(0.0)) return swept.converged ? swept : second;
    // Feet that stick share friction in many ways, among which states cycle that begin from open contacts.
    begin_with(*setting_.other_guess);
    const NewtonReport third = solve_newton(problem_, solver_, impatient, work_);
    add_solve(total_, third);
    return third.converged ? third : second;
  }
  /// Newton's method between deformable bodies; if it makes no progress, from the forces of the last step.
  template <class Begin>
  NewtonReport solve_deformable(const NewtonOptions& newton, const Begin& begin_with) {
    NewtonOptions impatient = newton;
    impatient.patience = patience_when_larger;
    const NewtonReport first = solve_plain(impatient, begin_with);
    if (first.converged) return first;
    const NewtonReport second = solve_from_last_forces(impatient, begin_with);
    return second.converged ? second : solve_plain(newton, begin_with);
  }
  const Vector& last_forces() const {
    return setting_.first_guess != setting_.no_multiplier ? *setting_.first_guess : *setting_.other_guess;
  }
  /// Whether solve_from_last_forces() may help.
  bool has_last_forces(const NewtonOptions& newton) const {
    return setting_.policy.interior_point && !newton.reuses_tangent && !sweeps_.is_decoupled() &&
           !last_forces().isZero(0.0);
  }
  /// Newton's method from the contact forces of the last step and the motion that they cause: many contacts of deformable
  /// bodies are nearly in the states of the solution there, whereas without forces, or with the forces but not their
  /// motion, all of them penetrate.
  template <class Begin>
  NewtonReport solve_from_last_forces(const NewtonOptions& newton, const Begin& begin_with) {
    const Vector& last = last_forces();
    begin_with(last);
    problem_.evaluate(work_.r);
    work_.has_tangent = false;
    if (!solver_.factorize(problem_.tangent_with(ContactRows::fixed))) return {};
    work_.dx = -work_.r;
    for (Index row = 0; row < last.size(); ++row)
      work_.dx[problem_.contact_unknown(row)] = problem_.fixed_multiplier_row(row, 0.0);
    solver_.solve(std::span(work_.dx.data(), work_.dx.size()));
    problem_.advance(work_.dx, 1.0);
    NewtonReport report = solve_newton(problem_, solver_, newton, work_);
    ++report.iterations;
    add_solve(total_, report);
    return report;
  }
  /// Solves by sweeps over the contacts, from the initial guess.
  NewtonReport sweep(const NewtonOptions& newton, bool is_last_resort = false);
  /// Whether rows seemed to conflict before in this step, and the problem has no restitution, which relaxation would
  /// omit. They mostly conflict again, in other sub-problems and parts of the step, and the other methods take long to
  /// find no solution, or find one at velocity level that is nearly infinite, as for balls in line that escape sideways
  /// when a plate presses them.
  bool has_conflicts() const {
    return report_.fallbacks[place_of(Fallback::smallest_feasible_shift)] > 0 && !problem_.has_restitution();
  }
  /// Solves with the least violation of infeasible rows; false if there are none.
  template <class Begin>
  bool relax_conflicting_rows(const Begin& begin_with) {
    if (!begin_relaxed()) return false;
    const auto begin = [&] { begin_with(*setting_.no_multiplier); };
    begin();
    return solve_with_smallest_feasible_shift(begin);
  }
  /// Sets up the relaxed problem; false if it cannot be relaxed.
  bool begin_relaxed();
  bool solve_with_smallest_feasible_shift(const std::function<void()>& begin);
  /// Solves the relaxed problem from its current iterate, `thoroughly` or by a few iterations; `change`: that of its
  /// unknowns, if solved.
  bool solve_relaxed(bool thoroughly, Vector& change);
  /// Solves from the initial guess, and keeps the result if it is the best so far.
  void trace(const Attempt& attempt);
  /// Whether cutting the step is more promising than the other remedies.
  bool prefers_step_cut() const {
    return has_stalled_ && setting_.may_accept_stalled && !setting_.may_accept;
  }
  /// Accepts the current iterate of the problem, and counts it.
  NewtonReport accept(NewtonReport report);

  ContactProblem& problem_;
  LinearSolver& solver_;
  NewtonWorkspace& work_;
  ContactSweeps& sweeps_;
  const SolveSetting& setting_;
  StepReport& report_;
  SubproblemReport& total_;

  bool has_stalled_ = false;  ///< whether the sweeps have stalled
  NewtonReport best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  Attempt best_attempt_{};
  NewtonReport relaxed_;   ///< of the solved relaxed problem
  Vector best_increment_;  ///< change of the unknowns from the initial guess to the best iterate
};

}  // namespace picus
