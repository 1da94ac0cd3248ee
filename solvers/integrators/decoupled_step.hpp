#pragma once

#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/solvers/integrators/nsga_workspace.hpp>

#include <span>
#include <string>

namespace picus::solvers {

/// One step of the decoupled schemes, with the fallbacks of the policy.
class DecoupledStep {
 public:
  DecoupledStep(NsgaWorkspace& work, const DecoupledNsgaOptions& own, StepReport& report)
      : w_(work), options_(*work.options), own_(own), report_(report) {}

  /// Advances `state` by a full step, or throws SolverError and leaves it unchanged.
  void advance(State& state);

 private:
  /// The same for a step of size h. Where vibrations are not resolved, the parts of a step that was cut annihilate them:
  /// their contribution to an acceleration has four times the effect in a step twice as long, and would grow on return
  /// to the full step. Elsewhere only a_n, which is the acceleration at t_n + (alpha_m - alpha_f) h, is adapted to h.
  void advance(State& state, double h, double rho_inf, int cuts_left);
  /// Adapts a_n, and the records of forces, to a step of `factor` times the size.
  void retime(State& state, double factor);
  /// The last attempt of a step that cannot be cut further may be accepted above its tolerance.
  bool try_step(State& state, double h, const GeneralizedAlpha& alpha, bool is_last, std::string& failure);
  /// The three sub-problems.
  bool solve_all(const State& state, double h, const GeneralizedAlpha& alpha, bool may_accept,
                 std::string& failure);
  /// The smooth motion, with the contacts that can be held in it.
  bool solve_smooth(const State& state, double h, const GeneralizedAlpha& alpha, bool may_accept,
                    std::string& failure);
  /// The same with the contacts chosen; false if their forces have no solution.
  bool solve_with_contacts(const State& state, double h, const GeneralizedAlpha& alpha);
  bool end_step(State& state, double h, const GeneralizedAlpha& alpha, bool has_forces, std::string& failure);
  void note_forces(const State& end, double h, const GeneralizedAlpha& alpha, bool has_forces);

  /// Contact multipliers of the last step, and a prediction of their change; null: there are none.
  struct Multipliers {
    const Vector* values = nullptr;
    const Vector* change = nullptr;
  };
  template <class Problem, class Begin>
  bool solve(std::size_t place, Solvable<Problem>& problem, const NewtonOptions& newton,
             const Multipliers& last, const Begin& begin, bool may_accept, std::string& failure);
  NewtonOptions smooth_options() const;
  NewtonOptions newton_options(const Subproblem& problem) const;
  bool reuses_tangents(const Subproblem& problem) const;

  NsgaWorkspace& w_;
  const SchemeOptions& options_;
  const DecoupledNsgaOptions& own_;
  StepReport& report_;
  std::span<const ContactState> states_n_;  ///< contact states at the beginning of the step
  double retiming_ = 1.0;                   ///< for the next part of the step
};

}  // namespace picus::solvers
