#pragma once

#include <picus/solvers/subproblems/contact_rate_rows.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// How position and velocity at t_{n+1} follow from the smooth acceleration vd and the velocity jump W:
///
///     v~ = v_0 + v_rate vd,    v = v~ + W,    q = q_n o exp(dq_0 + dq_rate vd + w_rate W)
struct DifferenceFormulas {
  double v_rate = 0.0;   ///< s, > 0
  double dq_rate = 0.0;  ///< s2, > 0
  double w_rate = 0.0;   ///< s
  Vector v_0, dq_0;      ///< natural layout
  bool impulses_accelerate =
      false;                 ///< whether acceleration() includes W / v_rate; w_rate is then dq_rate / v_rate
  bool closes_gaps = false;  ///< contact conditions between gaps and P in place of rates and P
};

/// One step with all constraints at velocity level (Chen and others 2013, eqs. 21 to 24):
///
///     M vd = f,    M W - G^T mu - G_c^T P = 0,    G v + g_t = 0,
///     contact conditions between G_c v + e G_c,n v_n and P for the contacts of the active set,
///
/// everything at q and v of t_{n+1}, mu and P impulses of the step. Instead of vd the unknown is
/// z = v_rate vd + (1 - eta) W with eta = 1 - w_rate v_rate / dq_rate, because then
///
///     q = q_n o exp(dq_0 + tau z), tau = dq_rate / v_rate,      v = v_0 + z + eta W
///     M z - v_rate f - (1 - eta) (G^T mu + G_c^T P) = 0
///
/// so that W appears in the forces by way of damping only, and with eta = 0 (theta-method) not at all. Unknowns are W,
/// z, then the multipliers as in the other sub-problems.
///
/// With closes_gaps the contact conditions of t_{n+1} hold between (g, tangential motion of the step) / tau and P: no law
/// of impact, and positions at fault by nothing.
///
/// The source assumes that M is not singular. Here a component without mass (an angle of a hinge, a rigidly linked
/// node) has vd = 0, so that its motion is a jump, and h f + G^T mu + G_c^T P = 0. Singular blocks of components
/// that have mass are not provided for.
class VelocityLevelProblem : public Subproblem {
 public:
  explicit VelocityLevelProblem(StepData& data);

  std::string_view name() const override { return "velocity-level"; }
  Index size() const override { return matrix_.size; }
  const SparseMatrix& pattern() const { return matrix_; }

  /// From vd = `acceleration`, W = 0, the bilateral impulses `mu` and the contact multipliers that are set.
  /// `contact_rate_n` is G_n v_n.
  void begin(const DifferenceFormulas& formulas, const Vector& acceleration, const Vector& mu,
             const Vector& contact_rate_n);
  /// Contacts outside the active set carry no impulse.
  void set_active(std::size_t contact, bool is_active) { cones_[contact].enabled = is_active; }

  bool has_restitution() const override { return !formulas_.closes_gaps && !restitution_.isZero(0.0); }

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;
  std::string describe(Index unknown) const override;
  void contact_response(const Vector& dx, Vector& response) override;
  Index first_contact_unknown() const override { return kkt_.free_count() + kkt_.first_contact_unknown(); }

  const Vector& velocity() const { return v_; }
  /// vd at the current iterate, with impulses_accelerate (z + eta W) / v_rate (an expression: no copy).
  auto acceleration() const {
    return (z_ - (formulas_.impulses_accelerate ? -eta_ : 1.0 - eta_) * W_) / formulas_.v_rate;
  }
  /// Gap rates G v of all contacts.
  const Vector& contact_rate() const { return contact_rate_; }
  /// M vd - f + (M W - G^T mu - G_c^T P)/h, natural layout: mean reactions of prescribed components.
  auto reaction() const {
    return (residual_ - (1.0 - eta_) * residual_w_) / formulas_.v_rate + residual_w_ / data_->h;
  }

 private:
  /// Where the blocks of kkt_ go: each of its entries, the four blocks of momentum rows and z or W columns.
  struct Places {
    std::vector<Index> square_zz, square_zw, square_wz, square_ww;  ///< -1 outside the square block
    std::vector<Index> column_z, column_w;                          ///< momentum rows, multiplier columns
    std::vector<Index> row_z, row_w;                                ///< multiplier rows
    std::vector<Index> corner;
    struct Moved {
      std::size_t entry;
      Index place;
    };
    std::vector<Moved> massless;  ///< rows of W of components without mass go to their rows of z
  };
  void build_pattern();
  void add(const std::vector<Index>& places);
  void add_massless_rows();
  void take_speeds(const Vector& acceleration);
  /// d gap/dz over tau, in the chart.
  const Gradients& evaluate_gap_rows();
  const Chart* chart() const override { return &chart_; }

  SparseMatrix matrix_;
  Places places_;
  DifferenceFormulas formulas_;
  struct Massless {
    Index unknown;           ///< among the free components
    double mass;             ///< that its row is scaled with
    Index place_z, place_w;  ///< of the entries of its row of W
  };
  std::vector<Massless> massless_;
  double massless_share_ = 0.0;  ///< share of its impulses in its row of z beyond 1 - eta
  double eta_ = 0.0;
  double tau_ = 0.0;
  Vector z_, W_, v_;
  Vector residual_w_;  ///< rows of W, natural layout; residual_ holds those of z
  Vector inner_;       ///< residual in the layout of kkt_
  Vector row_rate_, partial_rate_;
  Vector contact_rate_, restitution_;
  Vector scaled_, scaled_contact_;  ///< buffers
  ContactRateRows contact_rows_;
  Gradients gap_rows_;
  /// Of contact_y_ with respect to z, in the chart, when the tangent was made.
  const Gradients* response_rows_;
  std::vector<double> local_v_;
};

}  // namespace picus
