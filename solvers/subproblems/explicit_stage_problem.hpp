#pragma once

#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// One stage of a half-explicit scheme: forces, masses and the directions of reactions at a motion that is known,
/// constraints and contacts at a configuration that is known, only the reactions implicit:
///
///     M z - c f - G^T mu - G_c^T P = 0      at q_f, v_f, t_f
///     G v + g_t = 0,   contact conditions between G_c v + e G_c,n v_n and P,   v = v_0 + z     at q_r, t_r
///
/// linear but for the contacts. mu and P are impulses.
class ExplicitStageProblem : public Subproblem {
 public:
  struct Setting {
    double force_rate = 0.0;                  ///< c, s
    const Configuration* q_forces = nullptr;  ///< q_f
    const Vector* v_forces = nullptr;         ///< v_f
    double t_forces = 0.0;
    const Configuration* q_rows = nullptr;  ///< q_r
    double t_rows = 0.0;
    const Vector* v_0 = nullptr;
    const Vector* prescribed = nullptr;  ///< v of prescribed components
    bool has_impact_law = false;  ///< e of the contacts, otherwise 0; their rates before are G_c v_n at q_r
  };

  explicit ExplicitStageProblem(StepData& data);

  std::string_view name() const override { return "explicit stage"; }

  /// From z = 0, no bilateral impulses and the contact multipliers that are set.
  void begin(const Setting& setting);
  void set_closed(std::size_t contact, bool is_closed) { cones_[contact].enabled = is_closed; }

  bool has_restitution() const override { return !restitution_.isZero(0.0); }

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;

  const Vector& increment() const { return z_; }
  const Vector& velocity() const { return v_; }
  const Vector& contact_rate() const { return contact_rate_; }
  /// M z - c f - G^T mu - G_c^T P in natural layout: impulses that hold prescribed components.
  const Vector& reaction_impulse() const { return residual_; }

 private:
  Vector v_0_, z_, v_, free_impulse_;
  MassMatrix mass_;          ///< at q_f
  Gradients G_, contact_G_;  ///< at q_f; those of data are at q_r
  Vector row_rate_, partial_rate_, contact_rate_, restitution_;
};

}  // namespace picus
