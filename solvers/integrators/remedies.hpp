#pragma once

/// The solve of a sub-problem with its remedies: Newton's iteration first; if that stalls, and there are contacts,
/// again with k and p a hundred times smaller, from the contact multipliers of the last step, and condensed to the
/// contacts by an interior-point method; at last the best iterate of these is accepted if it is near enough.

#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/newton/traced_problem.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>

#include <algorithm>
#include <limits>

namespace picus {

/// What a solve may do, and where it stands.
struct SolveSetting {
  NewtonOptions newton;
  FallbackPolicy policy;
  double scaling = 1.0;
  double regularization = 1e-8;
  const Vector* no_multiplier = nullptr;    ///< zero, one entry for each contact row
  const Vector* last_multiplier = nullptr;  ///< of the last step
  bool may_accept = true;
};

/// The solve of one problem; counts what it takes in the report of the step and in `total`.
class RemediedSolve {
 public:
  RemediedSolve(ContactProblem& problem, LinearSolver& solver, NewtonWorkspace& work,
                const SolveSetting& setting, StepReport& report, SubproblemReport& total)
      : problem_(problem), solver_(solver), work_(work), setting_(setting), report_(report), total_(total) {}

  /// `begin()` sets the problem to the first guess, with the contact multipliers that it has been given. Where nothing
  /// converges the report is that of the best attempt.
  template <class Begin>
  NewtonReport solve(const Begin& begin) {
    const auto begin_with = [&](const Vector& multiplier) {
      problem_.set_contact_multipliers(multiplier);
      begin();
    };
    begin_with(*setting_.no_multiplier);
    const NewtonReport first = solve_newton(problem_, solver_, setting_.newton, work_);
    add_solve(total_, first);
    if (first.converged) return first;
    const FallbackPolicy& policy = setting_.policy;
    if (std::ranges::any_of(problem_.cones(), &ContactCone::enabled)) {
      if (policy.smaller_scaling) {
        attempt(Fallback::smaller_scaling, setting_.scaling / scaling_reduction, *setting_.no_multiplier,
                begin_with);
      }
      if (policy.last_active_set && !is_solved())
        attempt(Fallback::last_active_set, setting_.scaling, *setting_.last_multiplier, begin_with);
      if (policy.interior_point && !is_solved())
        attempt(Fallback::interior_point, setting_.scaling, *setting_.no_multiplier, begin_with);
    }
    if (is_solved()) return best_;
    if (!setting_.may_accept) return tries_ > 0 ? best_ : first;
    // The first attempt was not traced.
    if (!(best_residual_ <= policy.accepted_residual))
      attempt(Fallback::accepted, setting_.scaling, *setting_.no_multiplier, begin_with);
    if (best_residual_ <= policy.accepted_residual) accept(begin_with);
    return best_;
  }

 private:
  /// The fallback "smaller scaling" divides k and p by this.
  static constexpr double scaling_reduction = 100;

  bool is_solved() const { return best_.converged; }
  void count(Fallback fallback) { ++report_.fallbacks[static_cast<std::size_t>(fallback)]; }

  template <class Begin>
  void attempt(Fallback fallback, double scaling, const Vector& multiplier, const Begin& begin_with) {
    if (fallback != Fallback::accepted) count(fallback);
    problem_.set_scaling(scaling, setting_.regularization);
    begin_with(multiplier);
    trace(fallback, scaling, multiplier);
    problem_.set_scaling(setting_.scaling, setting_.regularization);
  }
  /// Solves from the current iterate, and keeps what is better than before.
  void trace(Fallback fallback, double scaling, const Vector& multiplier);

  template <class Begin>
  void accept(const Begin& begin_with) {
    count(Fallback::accepted);
    problem_.set_scaling(best_scaling_, setting_.regularization);
    begin_with(*best_start_);
    problem_.evaluate(work_.r);
    problem_.advance(best_way_, 1.0);
    best_.residual = problem_.evaluate(work_.r);
    problem_.set_scaling(setting_.scaling, setting_.regularization);
    best_.converged = true;
    report_.accepted_residual = std::max(report_.accepted_residual, best_.residual.worst);
    total_.residual = best_.residual.worst;
  }

  ContactProblem& problem_;
  LinearSolver& solver_;
  NewtonWorkspace& work_;
  const SolveSetting& setting_;
  StepReport& report_;
  SubproblemReport& total_;

  int tries_ = 0;
  NewtonReport best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  double best_scaling_ = 1.0;
  const Vector* best_start_ = nullptr;  ///< contact multipliers
  Vector best_way_;                     ///< from there
};

}  // namespace picus
