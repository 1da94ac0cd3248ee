#pragma once

#include <picus/solvers/integrators/nsga_workspace.hpp>

#include <array>
#include <string>

namespace picus::solvers {

/// One step of the coupled scheme: the three sub-problems in turn, one Newton step each, until all are solved. If the
/// active set cycles (redundant contacts of one body), the sub-problems are solved one after another, each with its
/// remedies.
class CoupledStep {
 public:
  CoupledStep(NsgaWorkspace& work, StepReport& report) : w_(work), report_(report) {}

  /// Advances `state` by h, or throws SolverError and leaves it unchanged.
  void advance(State& state, double h, int max_iterations);

 private:
  bool iterate(const State& state, double h, int max_iterations);
  bool solve_in_turn(const State& state, double h, int max_iterations);
  void begin(const State& state, double h);
  bool is_solved() const;

  void evaluate_smooth();
  void evaluate_position();
  void evaluate_velocity();
  /// One joint iteration; false if a sub-problem has no finite Newton step.
  bool correct();
  template <class Problem>
  bool correct(std::size_t i, Solvable<Problem>& problem);

  /// Times a sub-problem.
  Profile::Scope clock_of(std::size_t place) const {
    return {w_.system->profile(), report_.subproblems[place].name};
  }
  /// Names the sub-problem with the largest residual.
  std::string describe_failure(double t, double h) const;

  NsgaWorkspace& w_;
  StepReport& report_;
  std::array<ResidualNorm, 3> norm_;
  int iterations_ = 0;
  const State* state_ = nullptr;  ///< at the beginning of the step
};

}  // namespace picus::solvers
