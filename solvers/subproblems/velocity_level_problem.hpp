#pragma once

#include <picus/solvers/subproblems/implicit_stage.hpp>

namespace picus {

/// Position and velocity at t_{n+1} as functions of the smooth acceleration vd and the velocity jump W:
///
///     v~ = v_0 + v_rate vd,    v = v~ + W,    q = q_n o exp(dq_0 + dq_rate vd + w_rate W)
///
/// where the formulas of the smooth motion give the coefficients of vd: v_rate = smooth.force_rate and
/// dq_rate = v_rate smooth.dq_own.
struct DifferenceFormulas {
  StageFormulas smooth;
  double w_rate = 0.0;  ///< s
  bool impulses_accelerate =
      false;                 ///< whether acceleration() includes W / v_rate; w_rate is then dq_rate / v_rate
  bool closes_gaps = false;  ///< contact conditions between gaps and P instead of rates and P
};

/// One step with all constraints at velocity level (Chen and others 2013, eqs. 21 to 24):
///
///     M vd = f,    M W - G^T mu - G_c^T P = 0,    G v + g_t = 0,
///     contact conditions between G_c v + e G_c,n v_n and P for the contacts of the active set,
///
/// all evaluated at q and v of t_{n+1}; mu and P are impulses of the step. Instead of vd the unknown is z = v_rate
/// vd + (1 - eta) W with eta = 1 - w_rate v_rate / dq_rate, because then
///
///     q = q_n o exp(dq_0 + tau z), tau = dq_rate / v_rate,      v = v_0 + z + eta W
///     M z - v_rate f - (1 - eta) (G^T mu + G_c^T P) = 0
///
/// so that W enters the forces only through damping, and with eta = 0 (theta-method) not at all. This is an implicit
/// stage with the unknown z, coupled to W as to another stage, plus the rows of W. Unknowns are W, z, then the
/// multipliers as in the other sub-problems.
///
/// With closes_gaps the contact conditions of t_{n+1} hold between (g, tangential displacement in the step) / tau and
/// P: there is no impact law, and no penetration.
///
/// The source assumes that M is nonsingular. Here a massless component (an angle of a hinge, a rigidly linked node) has
/// vd = 0, so that its velocity changes by a jump, and h f + G^T mu + G_c^T P = 0. Singular mass blocks of components
/// with mass are not supported.
class VelocityLevelProblem : public ImplicitStage {
 public:
  explicit VelocityLevelProblem(StepData& data);

  Index size() const override { return matrix_.size; }
  const SparseMatrix& pattern() const { return matrix_; }

  /// Starts from vd = `acceleration`, W = 0, the bilateral impulses `mu` and the contact multipliers set before.
  /// `contact_rate_n` is G_n v_n. Sets data.dq_smooth to the increment at this initial guess.
  void begin(const DifferenceFormulas& formulas, const Vector& acceleration, const Vector& mu,
             const Vector& contact_rate_n);

  /// Adds a second initial guess, the velocity of t_n, to the options if there are constraints.
  NewtonOptions with_other_guess(NewtonOptions options) const;

  bool has_restitution() const override { return !closes_gaps_ && Stage::has_restitution(); }

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;
  std::string describe(Index unknown) const override;
  double weight(Index unknown) const override {
    const Index n = kkt_.free_count();
    return weight_[unknown < n ? unknown : unknown - n];
  }
  void contact_response(const Vector& dx, Vector& response) override;
  Index first_contact_unknown() const override { return kkt_.free_count() + kkt_.first_contact_unknown(); }
  Index first_row_unknown() const override { return 2 * kkt_.free_count(); }

  /// vd at the current iterate; with impulses_accelerate (z + eta W) / v_rate (an expression: no copy).
  auto acceleration() const {
    return (z_ - (impulses_accelerate_ ? -eta_ : 1.0 - eta_) * W_) / formulas_.force_rate;
  }
  /// M vd - f + (M W - G^T mu - G_c^T P)/h, natural layout: mean reactions of prescribed components.
  auto reaction() const {
    return (residual_ - (1.0 - eta_) * residual_w_) / formulas_.force_rate + residual_w_ / data_->h;
  }

 private:
  /// Target positions of the entries of kkt_: the four blocks of momentum rows and z or W columns, and the rest.
  struct Places {
    std::vector<Index> square_zz, square_zw, square_wz, square_ww;  ///< -1 outside the square block
    std::vector<Index> column_z, column_w;                          ///< momentum rows, multiplier columns
    std::vector<Index> row_z, row_w;                                ///< multiplier rows
    std::vector<Index> corner;
    struct Moved {
      std::size_t entry;
      Index place;
    };
    std::vector<Moved> massless;  ///< rows of W of massless components are moved to their rows of z
  };
  void build_pattern();
  void add(const std::vector<Index>& places);
  void add_massless_rows();
  void evaluate_jump_rows();
  void add_jump_derivatives();

  SparseMatrix matrix_;
  Places places_;
  struct Massless {
    Index unknown;           ///< index among the free components
    double mass;             ///< scale of its row
    Index place_z, place_w;  ///< positions of the entries of its row of W
  };
  std::vector<Massless> massless_;
  double massless_share_ = 0.0;  ///< weight of its impulses in its row of z in addition to 1 - eta
  double eta_ = 0.0;
  double tau_ = 0.0;
  bool impulses_accelerate_ = false;
  bool closes_gaps_ = false;
  Vector W_;
  Vector residual_w_;        ///< rows of W, natural layout; residual_ contains those of z
  Vector inner_;             ///< residual in the layout of kkt_
  Vector to_last_velocity_;  ///< change of the unknowns from the first guess to the second
  Vector response_to_w_;
  Vector velocity_increment_, scaled_contact_;  ///< buffers
};

}  // namespace picus
