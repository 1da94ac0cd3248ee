#pragma once

#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>

namespace picus::solvers {

/// Everything that the schemes of three sub-problems, decoupled and coupled, build once a run: the
/// sub-problems, their linear solvers, buffers.
struct NsgaWorkspace : SchemeWorkspace {
  /// The effective masses of contacts are those at q.
  NsgaWorkspace(const System& system, const SchemeOptions& options, double rho_inf, const Configuration& q);

  /// A consistent start; has the linear solvers choose their pivots. Redundant constraints go to `findings`.
  State start(StartFindings& findings);
  /// In place of a start: goes on from `state`, with the findings of the start.
  void resume(const State& state, const StartFindings& findings);
  /// Begins the smooth problem of a step of size h, with a spectral radius of its own.
  void begin_step(const State& state, double h, double spectral_radius);
  /// Where the step ends: without rows the smooth motion is all there is.
  const Configuration& end() const { return has_rows ? data.q : data.smooth.q; }
  /// The solved sub-problems become the new state. Where position and velocity problem have no forces, the
  /// velocity problem holds the reactions beyond those of the smooth motion only.
  void commit(State& state, double h, bool has_forces);

  Solvable<SmoothProblem> smooth;
  Solvable<PositionProblem> position;
  Solvable<VelocityProblem> velocity;
  Vector auxiliary;
  double rho_inf;  ///< of the whole steps of the scheme
  bool has_rows;   ///< constraints or contacts; otherwise the smooth motion is all

 private:
  void choose_pivots(const State& state);
};

}  // namespace picus::solvers
