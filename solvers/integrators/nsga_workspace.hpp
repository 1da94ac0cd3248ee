#pragma once

#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>

namespace picus::solvers {

/// The data that the schemes with three sub-problems, decoupled and coupled, build once per run: the sub-problems,
/// their linear solvers, buffers.
struct NsgaWorkspace : SchemeWorkspace {
  /// Level of constraints and closed contacts in the smooth motion.
  enum class SmoothLevel : std::uint8_t { velocity, acceleration };

  /// The effective masses of contacts are those at q.
  NsgaWorkspace(const System& system, const SchemeOptions& options, double rho_inf, const Configuration& q,
                SmoothLevel level = SmoothLevel::velocity);

  /// Computes a consistent initial state and makes the linear solvers choose their pivots. Redundant constraints are
  /// reported in `findings`.
  State start(StartFindings& findings);
  /// In place of a start: resumes from `state`, with the findings of the start.
  void resume(const State& state, const StartFindings& findings);
  /// Begins the smooth problem of a step of size h, with its own spectral radius.
  void begin_step(const State& state, double h, double spectral_radius) {
    begin_step(state, h, GeneralizedAlpha::with_spectral_radius(spectral_radius));
  }
  /// The same with its own coefficients.
  void begin_step(const State& state, double h, const GeneralizedAlpha& alpha);
  /// Whether contacts are held for the first time: the accelerations of the last step contain impulses in place of their
  /// forces.
  bool closes(const State& state) const;
  /// Whether contact forces of the last step, which the motion of the solved step still contains by its accelerations,
  /// throw bodies apart.
  bool throws_apart(const State& state) const;
  /// The configuration at the end of the step; without constraints and contacts that of the smooth motion.
  const Configuration& end() const { return has_rows ? data.q : data.smooth.q; }
  /// Chooses the contacts that the smooth motion holds in a step of size h.
  void choose_held_contacts(const State& state, double h);
  /// For the smooth motion with contacts: what remedies find where these have no forces, or several, are impulses.
  SolveSetting setting_without_remedies(const NewtonOptions& newton) const;
  /// Stores the forces of held contacts as first guesses of the corrections.
  void guess_corrections(double h);
  /// Sets the new state from the solved sub-problems. If position and velocity problem have no forces, the velocity
  /// problem holds only the reactions in addition to those of the smooth motion.
  void commit(State& state, double h, bool has_forces);

  bool holds_contacts;  ///< whether the smooth motion is that at acceleration level
  HeldContacts held;
  Solvable<SmoothProblem> smooth;
  Solvable<PositionProblem> position;
  Solvable<VelocityProblem> velocity;
  Vector auxiliary;
  Vector position_guess, velocity_guess;  ///< of multipliers of contacts that are held
  double rho_inf;                         ///< for steps that are not cut
  bool has_rows;  ///< whether there are constraints or contacts; otherwise the smooth motion is the step

 private:
  void choose_pivots(const State& state);
  /// Twice the kinetic energy of the effective mass of a contact at its characteristic speed, J.
  double energy_of_contact(std::size_t contact) const;
};

}  // namespace picus::solvers
