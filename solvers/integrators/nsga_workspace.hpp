#pragma once

#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/impact_problem.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/solvers/subproblems/velocity_projection.hpp>

#include <memory>
#include <string>
#include <vector>

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
  /// Whether contacts are held for the first time: the accelerations of the last step contain impulses instead of their
  /// forces.
  bool closes(const State& state) const;
  /// Whether contact forces of the last step, which the motion of the solved step still contains by its accelerations,
  /// throw bodies apart.
  bool pushes_apart(const State& state) const;
  /// The motion before the impacts of contacts that close, at the q of the step data.
  VelocityProblem::Before before_impact(const State& state);
  /// Finds the impacts of laws other than Newton's after the position problem; false if one was not solved.
  bool solve_impact(const VelocityProblem::Before& before);
  /// "step from t = ... s with h = ... s: the impact at contact ... was not solved".
  std::string describe_failed_impact() const;
  /// The configuration at the end of the step; without constraints and contacts that of the smooth motion.
  const Configuration& end() const { return has_rows ? data.q : data.smooth.q; }
  /// Chooses the contacts that are held in the smooth motion of a step of size h.
  void choose_held_contacts(const State& state, double h);
  /// Setting for the smooth motion with contacts: where contact forces do not exist or are not unique, remedies would
  /// find impulses.
  SolveSetting setting_without_remedies(const NewtonOptions& newton) const;
  /// Stores the forces of held contacts as first guesses of the corrections.
  void guess_corrections(double h);
  /// Sets the new state from the solved sub-problems. If position and velocity problem have no forces, the velocity
  /// problem contains only the reactions in addition to those of the smooth motion.
  void commit(State& state, double h, bool has_forces);
  /// Stores how the contact multipliers have changed since those in `state`.
  void note_changes(State& state) const;
  /// Records how forces acted in the step, or in a part, which ends at `end`, of a step that is cut; null for a whole
  /// step.
  void note_forces(StepForces forces, const State* end);
  /// Clears these records, for the next step.
  void forget_forces();
  /// The records of the last step, as TimeIntegrator::step_forces().
  std::vector<StepForces>& step_forces() { return forces_; }
  /// Whether steps of this size resolve all vibrations: the tangent of the smooth problem differs from the mass by less
  /// than those of four steps per period cause, row by row.
  bool resolves_vibrations();

  bool holds_contacts;  ///< whether the smooth motion is that at acceleration level
  HeldContacts held;
  Solvable<SmoothProblem> smooth;
  Solvable<PositionProblem> position;
  Solvable<VelocityProblem> velocity;
  std::unique_ptr<Solvable<ImpactProblem>> impact;  ///< null: all contacts have Newton's law
  bool has_impact = false;                          ///< in the present step, by another law
  ImpactOutcome impact_outcome;                     ///< of the present step, if it has one
  Vector auxiliary;
  Vector position_guess, velocity_guess;  ///< of multipliers of contacts that are held
  double rho_inf;                         ///< for steps that are not cut
  bool has_rows;  ///< whether there are constraints or contacts; otherwise the smooth motion is the step

 private:
  /// Data of a part of a cut step, at its end and at the end of its smooth motion.
  struct Part {
    State end;
    Configuration q_smooth;
    Vector v_smooth, dq_smooth;
    Gradients columns, point_columns, contact_columns, impulse_columns;
    Vector rate_shift;
  };
  void choose_pivots(const State& state);
  /// Twice the kinetic energy of the effective mass of a contact at its characteristic speed, J.
  double energy_of_contact(std::size_t contact) const;

  std::vector<StepForces> forces_;
  /// Null without constraints, or without contacts whose impacts depend on the rates before: v_n is then taken for them.
  std::unique_ptr<Solvable<VelocityProjection>> projection_before_impact_;
  Vector rates_before_impact_, no_rates_;
  Vector rate_shift_;                         ///< by the projection, of contacts that were open at t_n
  bool has_shift_ = false;                    ///< in the present step
  std::vector<std::unique_ptr<Part>> parts_;  ///< only of a step that was cut
  std::vector<ContactState> states_;          ///< buffer
};

}  // namespace picus::solvers
