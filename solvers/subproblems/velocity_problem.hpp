#pragma once

#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// The velocity jump (Galvez 2020, eqs. 3.45 and 4.2): constraints at velocity level and the impact law
/// G v + e G_n v_n with friction for every contact that is closed at position level. Unknown W and the
/// impulses. Works at the q, G and contact gradients that the position problem left.
class VelocityProblem : public Subproblem {
 public:
  explicit VelocityProblem(StepData& data) : Subproblem(data, KktAssembler::Rows::bilateral_and_contacts) {}

  std::string_view name() const override { return "velocity"; }

  /// From W = 0 and the contact multipliers that are set; `contact_rate_n` is G_n v_n. Without forces h f* is
  /// left out.
  void begin(const Vector& contact_rate_n, std::span<const ContactState> position_states,
             bool has_forces = true);
  /// Takes over a q that has changed, and which contacts are closed there; W and the impulses stay.
  void follow(std::span<const ContactState> position_states);

  /// Without constraints and contacts: W = 0. `smooth_residual` is M dv~ - f.
  void take_smooth_motion(const Vector& smooth_residual);

  bool has_restitution() const override { return !restitution_.isZero(0.0); }

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;

  /// W at the current iterate.
  const Vector& jump() const { return W_; }
  const Vector& velocity() const { return v_; }
  /// Gap rates G v of all contacts at v.
  const Vector& contact_rate() const { return contact_rate_; }
  /// Momentum rows in natural layout: those of prescribed components hold the impulse of their reactions
  /// (without forces: what it is beyond that of the smooth motion).
  const Vector& momentum_residual() const { return residual_; }

 private:
  double source_ = 0.0;  ///< h, or 0 without forces
  Vector W_, v_;
  Vector row_rate_, partial_rate_;
  Vector contact_rate_, restitution_;
};

}  // namespace picus
