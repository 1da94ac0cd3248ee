#pragma once

/// The common form of all sub-problems, with the unknown z and the multipliers mu and P:
///
///     M w - s f(q_a, v_a, t_a) - G(q_a)^T mu - G_c(q_a)^T P = 0,      w = w_0 + z,   mu = s lambda + k x
///     g(q_h, t_h) = 0                    or   G(q_h) v + g_t = 0
///     contact conditions between gaps or rates G_c(q_h) v + e G_c,n v_n, and P
///
/// The increments of q_a and q_h = q_n o exp(dq) and the velocities follow from z (StageMap); the configurations q_a of
/// the forces and q_h of the rows are mostly the same. A sub-problem is defined by its weights (StageSetting):
///
///     sub-problem        z                s       dq            v                M at     rows, contacts
///     smooth             c dv~, c = s     c       dq_own z      v_0 + z          q        rates or their derivatives
///     position           U                h^2     dq~ + U       -                q~       constraints, gaps
///     velocity           W                h       q fixed       v~ + W           q        rates, impact law
///     implicit stage     c a,   c = s     c       dq_own z      v_0 + v_own z    q        rates
///     explicit stage     c a,   c = s     c       both fixed    v_0 + z          q_a      rates, impact law
///     Schatzman-Paoli    d                h^2     theta d, d    (d + d_n)/2h     q_a      constraints, gaps at q_c
///     static             U                1       dq + U        -                none     constraints, gaps

#include <picus/solvers/subproblems/acceleration_rows.hpp>
#include <picus/solvers/subproblems/contact_zone.hpp>
#include <picus/solvers/subproblems/mean_force_directions.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>
#include <picus/solvers/subproblems/varying_friction.hpp>

#include <span>
#include <vector>

namespace picus {

/// Whether a row is a condition on positions, on velocities or on accelerations.
enum class RowLevel : std::uint8_t { position, velocity, acceleration };

/// Contacts whose gaps and force directions are evaluated at a separate point.
struct ContactPoint {
  StagePoint* point = nullptr;
  StageMap dq;
  std::vector<std::size_t> contacts;
};

/// The weights of a stage.
struct StageSetting {
  double source = 0.0;                    ///< s
  const Vector* w_0 = nullptr;            ///< null: 0
  const Vector* lambda = nullptr;         ///< null: 0
  const StagePoint* mass = nullptr;       ///< point of the mass matrix; null: none
  bool mass_moves = false;                ///< M is that of the iterate, at the point of the forces
  const MassMatrix* mass_of_z = nullptr;  ///< of z alone, M w = M w_0 + mass_of_z z; null: the same

  StagePoint* force_point = nullptr;  ///< point at which forces and multipliers act
  StageMap dq_forces;                 ///< a point that does not depend on z or y is not evaluated again
  StageMap v_forces;
  StagePoint* constraint_point =
      nullptr;  ///< point at which constraints and contacts are imposed; may be the same
  StageMap dq_constraints;
  StageMap v;  ///< velocity of the rows
  RowLevel rows = RowLevel::velocity;
  RowLevel contacts = RowLevel::velocity;
  /// Rows at acceleration level, begun for this motion; null: there are none. Contacts at this level are in `held`.
  AccelerationRows* accelerations = nullptr;
  std::span<const std::size_t> held;
  double multiplier_factor = 1.0;          ///< factor of mu and P in the momentum rows
  double gap_unit = 1.0;                   ///< divisor of gaps
  std::span<ContactPoint> contact_points;  ///< empty: contacts are evaluated at the common points
  /// Columns of contacts if contact_points is empty; null: those at the end of the step.
  const MeanForceDirections* mean_force_directions = nullptr;
  /// Columns along which the multipliers of constraints beyond source * lambda act; null: those at the point of the forces.
  const Gradients* correction_columns = nullptr;
  bool rotates_slip = false;  ///< friction opposes the slip in the middle of the step

  const Vector* contact_rate_n = nullptr;  ///< previous rates of the impact law; null: no restitution
  /// Part of the iterate in the sliding velocities that determine coefficients of friction; the rest is that of t_n.
  /// 1: contacts carry forces of the iterate; 1/2: the impulses of a step.
  double part_in_sliding = 1.0;
  /// Rates after impacts by laws other than Newton's (ImpactProblem); null: none.
  const Vector* rates_after_impact = nullptr;
  Subproblem::ToleranceFactors tolerances;
};

class Stage : public Subproblem {
 public:
  Stage(StepData& data, std::string_view name, KktAssembler::Rows rows);

  std::string_view name() const override { return name_; }

  /// Starts from z and the physical multipliers k x = `mu` if given, otherwise from 0, and the contact multipliers set
  /// before.
  void begin(const StageSetting& setting, const Vector* z = nullptr, const Vector* mu = nullptr);
  /// Whether a contact is a candidate for closing; otherwise it carries no force.
  void set_candidate(std::size_t contact, bool is_candidate) { cones_[contact].is_candidate = is_candidate; }
  void set_all_candidates(bool are_candidates);
  void set_friction(bool has_friction);

  bool has_restitution() const override { return !restitution_.isZero(0.0); }

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  const SparseMatrix& tangent_with_updated_contacts() override;
  bool has_sliding_contacts() const override;
  bool predict(const Vector& r, Vector& dx) override;
  std::uint64_t tangent_family() const override;
  /// Excludes the residual of redundant constraints at velocity level (RedundantRows).
  bool exclude_unreachable_residual(LinearSolver& solver) override {
    return exclude_redundant_rows(solver, size(), 0);
  }
  int iterations_before_exclusion() const override { return has_border() ? 0 : 2; }
  void leave_out_excluded_rows(LinearSolver& solver, Vector& dx) override;
  /// The same for a stage that is part of a problem with `unknowns` unknowns, its own from `first` on.
  bool exclude_redundant_rows(LinearSolver& solver, Index unknowns, Index first);
  /// Sets the part of this stage, with the same `first`, in a border; false if no rows are excluded.
  bool find_border(Index first, RedundantBorder::Part& part) const;
  void advance(const Vector& dx, double factor) override;
  void contact_response(const Vector& dx, Vector& response) override;

  /// Derivative of the residual with respect to y at the iterate of the last tangent, in its pattern (without
  /// multipliers).
  const SparseMatrix& coupling();
  /// The same with different rows of contacts.
  const SparseMatrix& coupling_with(ContactRows rows);
  /// Change of the gaps or rates under a change dx of the unknowns of the other stage.
  void contact_response_to_other(const Vector& dx, Vector& response);

  /// z at the current iterate.
  const Vector& increment() const { return z_; }
  /// Velocity and gap rates of rows at velocity level, at the iterate last evaluated.
  const Vector& velocity() const { return v_; }
  const Vector& contact_rate() const { return contact_rate_; }
  /// StageSetting::correction_columns.
  const Gradients* correction_columns() const { return setting_.correction_columns; }
  /// StageSetting::mass_of_z.
  const MassMatrix* mass_of_z() const { return setting_.mass_of_z; }
  /// The columns along which contacts act, at the iterate last evaluated.
  const Gradients& contact_columns() const;
  /// s f at the iterate last evaluated, natural layout.
  const Vector& force_impulse() const { return force_impulse_; }
  /// Momentum rows in natural layout: those of prescribed components are their reactions.
  const Vector& momentum_residual() const { return residual_; }

 protected:
  /// Evaluates residual_, row_value_ and contact_y_ at the current iterate.
  void evaluate_equations();
  /// Subtracts s f from residual_, and adds any other terms of the momentum rows besides M w and reactions; the second
  /// function adds the derivatives.
  virtual void add_forces();
  virtual void add_force_tangents(double dq_rate, double v_rate);

  /// Other columns for an iterate that is not changed.
  void set_correction_columns(const Gradients* columns) { setting_.correction_columns = columns; }
  void set_mass_of_z(const MassMatrix* mass) { setting_.mass_of_z = mass; }

  Vector z_, v_;
  Vector row_value_, contact_rate_;

  /// Changes the rates of t_n of the impact law.
  void set_rates_before_impact(const Vector& contact_rate_n) {
    set_restitution_rates(contact_rate_n, setting_.rates_after_impact, restitution_);
  }

 private:
  using Rate = double StageMap::*;  ///< derivative with respect to z or y

  bool has_velocity_rows() const;
  /// Whether redundant rows need a border, since they are not redundant at violated positions, or since columns other
  /// than theirs have another null space.
  bool has_border() const;
  bool has_fixed_forces() const;
  bool has_fixed_configuration() const;
  bool averages_contacts() const;
  void move(StagePoint& point, const StageMap& dq) const;
  void evaluate_points();
  void evaluate_rows();
  void evaluate_contacts();
  void evaluate_held_contacts(StagePoint& point) const;
  const Vector& force_velocity();
  void update_charts();
  const Vector& scaled_rows(double factor);
  void add_derivatives(Rate rate);
  void add_row_derivatives(Rate rate);
  void add_contact_geometric_stiffness(Rate rate);
  void add_contact_derivatives(Rate rate);
  /// Derivatives of gaps or rates: `factor` times the rows, with charts applied except to those of gaps.
  struct RowDerivatives {
    const Gradients& rows;
    double factor;
  };
  RowDerivatives contact_row_derivatives(Rate rate, const StagePoint& point, const StageMap& dq);
  void respond(Rate rate, const Vector& dx, Vector& response);
  template <class Visit>
  void for_each_contact_point(Visit&& visit);

  std::string_view name_;
  StageSetting setting_;
  Vector v_forces_;                   ///< buffer
  Vector fixed_impulse_;              ///< s f of forces that do not change
  Vector force_impulse_;              ///< s f of all forces
  std::uint64_t setting_number_ = 0;  ///< number of the setting or coupling; the tangent jumps between them
  Vector partial_rate_, restitution_;
  Vector scaled_row_, correction_, scaled_contact_;  ///< buffers
  Gradients averaged_;                               ///< columns of contacts at the iterate last evaluated
  ContactRateRows contact_rows_;
  std::vector<std::size_t> all_contacts_;
  VaryingFriction friction_;
  ContactZone zone_;
  RedundantBorder border_;
  RedundantBorder::Part border_part_;
  bool has_friction_ = true;
};

}  // namespace picus
