#pragma once

/// Base class of all sub-problems: momentum rows, rows of constraints and rows of contacts, in this order, and the
/// tolerances of their residuals. The unknown multipliers are x with P = k x, so that the matrix is well scaled. The
/// penalty terms of the augmented Lagrangian appear in the complementarity rows only: in the momentum rows they would
/// be multiples of the constraint rows, which change no iterate of a linear problem but fill the matrix with G^T G.

#include <picus/kkt_assembler.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>
#include <picus/solvers/subproblems/redundant_rows.hpp>
#include <picus/solvers/subproblems/step_data.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace picus {

class Subproblem : public ContactProblem {
 public:
  Subproblem(StepData& data, KktAssembler::Rows rows);

  /// Tolerances of residuals, based on speeds and lengths of the group that a row belongs to: for momentum rows mass
  /// times `momentum` times a speed, for other rows `row` times a speed, both times the relative tolerance; plus the
  /// rounding level, 100 eps times a length, times the diagonal and `momentum_floor` or times `row_floor`. The rounding
  /// error of coordinates is proportional to their distance from the origin; it enters forces by the stiffness and,
  /// times `coordinates`, rows of positions. Forces that cancel at rest leave their rounding error in a momentum row:
  /// 100 eps times the largest bilateral multiplier, or `impulse` times the largest impulse of a contact in the last
  /// step.
  struct ToleranceFactors {
    double momentum = 0.0;
    double row = 0.0;
    double momentum_floor = 0.0;
    double row_floor = 0.0;
    double coordinates = 0.0;
    double impulse = 0.0;
    bool in_lengths = false;  ///< `momentum` and `row` multiply a length instead of a speed
  };

  virtual std::string_view name() const = 0;
  const Threads* threads() const override { return system_->threads(); }
  Index size() const override { return kkt_.size(); }
  const SparseMatrix& matrix() const { return kkt_.matrix(); }
  /// Free components come first among the unknowns.
  Index free_count() const { return kkt_.free_count(); }
  /// Whether the tangent is symmetric at every iterate.
  bool is_symmetric() const { return system_->has_symmetric_tangents() && kkt_.size() == kkt_.free_count(); }

  bool has_states() const override { return !cones_.empty(); }
  std::uint64_t tangent_kind() const override;
  std::uint64_t tangent_family() const override;

  void set_scaling(double scaling, double regularization) override;
  void set_restitution(Restitution restitution) override { restitution_scope_ = restitution; }
  bool has_restitution() const override { return false; }

  std::string describe(Index unknown) const override;

  /// States of the contacts at the iterate last evaluated.
  std::span<const ContactState> contact_states() const { return states_; }
  /// Contact multipliers P, and bilateral multipliers k x, at the current iterate.
  const Vector& contact_multipliers() const override { return contact_P_; }
  auto bilateral_multipliers() const { return row_scale_.cwiseProduct(row_x_); }  // an expression: no copy
  void set_contact_multipliers(const Vector& P) override { contact_P_ = P; }

  double weight(Index unknown) const override { return weight_[unknown]; }
  double contact_rounding() const override { return contact_rounding_; }
  const SparseMatrix& tangent_with(ContactRows rows) override;
  double fixed_multiplier_row(Index contact_row, double dP) const override;
  bool is_driven() const override { return system_->is_rheonomic() || system_->has_driven_dofs(); }
  Vector row_tolerances() const override;
  Vector row_multipliers() const override;
  void set_row_multipliers(const Vector& x) override;
  void relax(const Vector& shift, double compliance) override;
  double compliance() const override { return is_relaxed_ ? compliance_ : 0.0; }
  std::span<const Index> node_starts() const override { return node_starts_; }
  Index contact_unknown(Index contact_row) const override { return first_contact_unknown() + contact_row; }
  virtual Index first_contact_unknown() const { return kkt_.first_contact_unknown(); }
  virtual Index first_row_unknown() const { return kkt_.free_count(); }
  std::span<const ContactCone> cones() const override { return cones_; }
  const Vector& contact_motion() const override { return contact_y_; }

 protected:
  /// Computes the tolerances. `fixed_impulse`: impulse of forces that do not change, in momentum rows; null: none.
  void set_tolerances(const ToleranceFactors& factors, const Vector* fixed_impulse = nullptr);
  /// Raises the diagonals that define the rounding level to those of the matrix.
  void note_diagonal();
  /// Computes the proximal terms of rows anew if the redundancies at the start have become known.
  void note_redundancies() {
    if (regularized_redundancies_ != data_->redundancies.size()) regularize_rows();
  }
  /// Ends the relaxation of rows.
  void end_relaxation() { is_relaxed_ = false; }
  /// Assembles r from the free rows of `residual_`, rows of constraints from `row_value` (times -k) and contacts from
  /// contact_y_.
  ResidualNorm gather_residual(const Vector& row_value, Vector& r);
  /// e times the rates of t_n, contact row layout, for contacts with restitution by Newton's law. For other laws, minus
  /// the rates after the impact (null: none), so that the row does not undo them.
  void set_restitution_rates(const Vector& contact_rate_n, const Vector* rates_after_impact,
                             Vector& rates) const;
  /// The equations of a contact at the current iterate, or their replacement according to contact_row_content_.
  ContactEquations linearise(ContactCone cone) const;
  /// A hash extended by one word.
  static std::uint64_t hashed(std::uint64_t hash, std::uint64_t word);
  /// x += factor dx for the multipliers of constraints and contacts.
  void advance_multipliers(const Vector& dx, double factor);
  /// mu = factor lambda + k x; lambda null: 0.
  void update_multipliers(const Vector* lambda, double factor);

  StepData* data_;
  const System* system_;
  KktAssembler kkt_;
  /// Bilateral rows with an unknown multiplier, in the order of their unknowns.
  std::vector<Index> active_rows_;
  std::vector<Index> node_starts_;
  std::vector<ContactCone> cones_;
  std::vector<ContactState> states_;
  ContactRows contact_row_content_ = ContactRows::law;
  Restitution restitution_scope_ = Restitution::complete;
  double scaling_ = 1.0;
  bool is_relaxed_ = false;
  double compliance_ = 0.0;
  Vector shift_;             ///< shift of relaxed rows, in the order of their unknowns
  RedundantRows redundant_;  ///< redundant constraints, if excluded from the residual
  Vector row_scale_;         ///< k of bilateral rows, row layout
  Vector row_epsilon_;
  Vector row_x_;      ///< scaled bilateral multipliers, row layout
  Vector mu_;         ///< total bilateral multipliers of the momentum rows
  Vector contact_P_;  ///< contact multipliers
  Vector contact_y_;  ///< gaps or rates
  double contact_rounding_ = 0.0;
  Vector residual_;  ///< momentum rows, natural layout
  Vector w_, work_;
  Vector weight_;                    ///< 1 / tolerance of each unknown's row
  Vector diagonal_;                  ///< largest diagonal of A so far, natural layout
  std::vector<double> group_force_;  ///< largest cancelling force of each group

 private:
  /// Sets the proximal terms of bilateral rows.
  void regularize_rows();

  double regularization_ = 0.0;               ///< that of set_scaling()
  std::size_t regularized_redundancies_ = 0;  ///< number of redundancies known to regularize_rows()
};

}  // namespace picus
