#pragma once

/// The three sub-problems of the decoupled scheme as stages. With the smooth equation M(q~) dv~ = f~ + G~^T lambda the
/// differences f^p and f* of the sources are absorbed into
///
///     smooth     w = c dv~             s = c      mu = c lambda               rows G v~ + g_t
///     position   w = U + h^2 dv~       s = h^2    mu = h^2 lambda + P_b       rows g, gaps           M at q~
///     velocity   w = W + h dv~         s = h      mu = h lambda + Lambda_b    rows G v + g_t, rates  M at q
///
/// (Galvez 2020, eqs. 3.34, 3.39, 3.45, 4.1, 4.2; docs/theory.md derives it.)

#include <picus/solvers/integrators/generalized_alpha.hpp>
#include <picus/solvers/subproblems/held_contacts.hpp>
#include <picus/solvers/subproblems/mean_joint_directions.hpp>
#include <picus/solvers/subproblems/mean_mass.hpp>

#include <optional>

namespace picus {

/// The smooth motion (Galvez 2020, eqs. 3.34 and 3.35): generalized-alpha, bilateral constraints at velocity level. The
/// motion follows from dv~/dt at t_{n+1} by the difference formulas. At acceleration level (Bruels, Acary and Cardona
/// 2018) it also constrains contacts that stay closed; its P is then `source` times their forces.
class SmoothProblem : public ImplicitStage {
 public:
  /// At acceleration level `held` are the contacts that the problem constrains; null: at velocity level, without
  /// contacts.
  explicit SmoothProblem(StepData& data, HeldContacts* held = nullptr);

  /// Starts from the acceleration and multipliers of t_n.
  void begin(const GeneralizedAlpha& alpha, const Vector& acceleration_n, const Vector& auxiliary_n,
             const Vector& lambda_n);
  /// Evaluates forces, masses and gradients at the total motion, with the position correction U and the velocity jump W
  /// added, as in the coupled scheme (Galvez 2020, eq. 3.5); data.smooth is then the total q. U and W must outlive the
  /// problem.
  void couple(const Vector& U, const Vector& W);
  /// Options with zero acceleration as the alternative initial guess, unless they have one already: a better start
  /// where the acceleration of t_n is a poor prediction (stiff vibrations after an impact, at steps that do not resolve
  /// them).
  NewtonOptions with_other_guess(NewtonOptions options) const;

  /// Forces of the contacts at t_{n+1}, contact row layout: zero for those that are not held.
  auto contact_forces() const { return contact_force(); }
  /// Factor between forces and multipliers, s.
  double force_rate() const { return formulas_.force_rate; }

  /// Stores the iterate last evaluated in the step data for the other sub-problems.
  void store_motion();
  /// The same, and advances `auxiliary` from a_n to a_{n+1}.
  void finish(Vector& auxiliary);

 private:
  GeneralizedAlpha alpha_{};
  StageFormulas predicted_;
  Vector acceleration_n_, auxiliary_n_;
  Vector velocity_increment_;  ///< change of velocity in the step, m/s
  Vector to_rest_;             ///< change of the unknowns that leads to zero acceleration
  void hold_contacts(StageSetting& setting);

  HeldContacts* held_;
  std::optional<AccelerationRows> accelerations_;
  const Vector* U_ = nullptr;  ///< null: at the smooth motion
  const Vector* W_ = nullptr;
};

/// Terms of the position correction that variants of the scheme leave out.
struct PositionTerms {
  bool has_forces = true;    ///< h^2 f^p, the change of forces under the correction (eq. 3.30)
  bool has_friction = true;  ///< Coulomb's law over the step
};

/// Reference for the residual of a projection: sizes of bodies, or their speeds in the step.
enum class ProjectionUnit : std::uint8_t { length, speed };

/// The position correction (Galvez 2020, eqs. 3.39 and 4.1): from q~ to the nearest q, in the metric of
/// M(q~), that satisfies the constraints, the gaps and, through g_T, Coulomb's law over the step. The unknowns are U
/// and the multipliers.
class PositionProblem : public Stage {
 public:
  explicit PositionProblem(StepData& data)
      : Stage(data, "position", KktAssembler::Rows::bilateral_and_contacts),
        contact_groups_(*data.system),
        mean_mass_(data.mass) {}

  /// Starts from U = 0 and the contact multipliers set before.
  void begin(const PositionTerms& terms = {});
  /// Starts from U = 0, without sources and friction: the projection of a configuration on constraints and gaps, or on
  /// constraints only; residuals are relative to `factor` times the unit.
  void begin_projection(ProjectionUnit unit, double factor, bool has_contacts = true);

 private:
  void begin_at(double source, const MassMatrix* mass_of_U, const ToleranceFactors& factors);
  Vector w_0_;
  ContactGroups contact_groups_;
  MeanMass mean_mass_;
};

/// The result of an impact by a law other than Newton's (ImpactProblem), for the velocity problem.
struct ImpactOutcome {
  const Vector* jump = nullptr;         ///< z, of the velocities
  const Vector* rates_after = nullptr;  ///< ImpactProblem::rates_after(), u, contact row layout
};

/// The velocity jump (Galvez 2020, eqs. 3.45 and 4.2): constraints at velocity level and the impact law
/// G v + e G v_n with friction for every contact that is closed at position level. The unknowns are W and the
/// impulses. q, G and contact gradients are those of the solution of the position problem. (The sources have e G_n v_n,
/// which in impacts of bodies that turn adds or takes energy of the order of h.)
///
/// After an impact by another law, with the jump z and the rates u, v = v~ + z + W and the contacts that carried its
/// impulses have the rate G v - u: its impulses are given, and forces of the step that would close the contacts again
/// are balanced, as by Newton's law.
class VelocityProblem : public Stage {
 public:
  explicit VelocityProblem(StepData& data)
      : Stage(data, "velocity", KktAssembler::Rows::bilateral_and_contacts),
        contact_groups_(*data.system),
        joint_directions_(*data.system),
        mean_mass_(data.mass) {}

  /// Begins a step, in which `begin` may be called several times.
  void begin_step() { joint_directions_.begin_step(); }
  /// The motion before impacts.
  struct Before {
    const Vector* v;               ///< v_n, or what the constraints at the end of the step leave of it
    const Vector* contact_rate_n;  ///< rates at t_n, of contacts that were closed
  };
  /// Starts from W = 0 and the contact multipliers set before. Without forces h f* is omitted. `impact`: that of the
  /// step, if there is one.
  void begin(const Before& before, std::span<const ContactState> position_states, bool has_forces = true,
             const ImpactOutcome* impact = nullptr);
  /// Updates the problem to a changed q, the motion before impacts and the contacts closed there; W and the impulses are
  /// unchanged.
  void update_configuration(const Before& before, std::span<const ContactState> position_states);

 private:
  /// Rates to which restitution refers: those of contacts that separate are zero, as their bodies have not met before,
  /// but where another contact of one of these bodies meets in the step: the velocities after an impact bring them
  /// together again, at most with the part e of the rate before.
  const Vector& rates_before_impact(const Before& before, std::span<const ContactState> position_states);
  /// What else depends on q and on which contacts are closed.
  void update_matrices(std::span<const ContactState> position_states);
  /// Means of both ends of the step where contacts stay closed: the columns of the constraints, and M.
  void average(std::span<const ContactState> position_states);

  ContactGroups contact_groups_;
  MeanJointDirections joint_directions_;
  MeanMass mean_mass_;
  bool has_impact_ = false;
  Vector w_0_, v_0_, closing_rate_;
  std::vector<char> meets_;  ///< whether a contact of a group closes with restitution
};

}  // namespace picus
