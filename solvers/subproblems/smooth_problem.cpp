#include <picus/solvers/subproblems/smooth_problem.hpp>

#include <algorithm>

namespace picus {
namespace {

/// A residual above this, over the motion in a step, means that the acceleration of t_n predicts nothing.
constexpr double poor_prediction = 1.0;

}  // namespace

void SmoothProblem::begin(const GeneralizedAlpha& alpha, const Vector& acceleration_n,
                          const Vector& auxiliary_n, const Vector& lambda_n) {
  StepData& d = *data_;
  const double h = d.h;
  a_rate_ = (1 - alpha.alpha_f) / (1 - alpha.alpha_m);
  v_rate_ = h * alpha.gamma * a_rate_;
  dq_rate_ = h * h * alpha.beta * a_rate_;

  d.acceleration = acceleration_n;
  auxiliary_ = (alpha.alpha_f * acceleration_n - alpha.alpha_m * auxiliary_n) / (1 - alpha.alpha_m) +
               a_rate_ * acceleration_n;
  d.v_smooth = *d.v_n + h * (1 - alpha.gamma) * auxiliary_n + h * alpha.gamma * auxiliary_;
  d.dq_smooth = h * *d.v_n + h * h * (0.5 - alpha.beta) * auxiliary_n + h * h * alpha.beta * auxiliary_;
  if (system_->has_driven_dofs()) {
    system_->prescribe(d.t - h, h, d.dq_smooth, d.v_smooth, d.acceleration);
  }
  row_x_ = lambda_n.cwiseQuotient(row_scale_);
  row_rate_.setZero(system_->row_count());
  partial_rate_.setZero(system_->row_count());
  update_multipliers(lambda_n, 0.0);

  const PerKind before = d.scales.speeds(*d.v_n);
  const PerKind predicted = d.scales.speeds(d.v_smooth);
  work_ = h * auxiliary_n;
  const PerKind gained = d.scales.speeds(work_);
  for (std::size_t i = 0; i < d.speed.size(); ++i)
    d.speed[i] = std::max({before[i], predicted[i], gained[i]});
  set_tolerances({.momentum = speeds(1 / h),
                  .row = speeds(1),
                  .momentum_floor = lengths(1 / dq_rate_),
                  .row_floor = lengths(1 / h)});
  has_chosen_start_ = false;
  to_rest_.resize(size());
}

void SmoothProblem::follow(const Vector& U, const Vector& W) {
  U_ = &U;
  W_ = &W;
}

ResidualNorm SmoothProblem::evaluate(Vector& r) {
  const ResidualNorm norm = evaluate_here(r);
  if (has_chosen_start_) return norm;
  has_chosen_start_ = true;
  if (norm.worst * data_->tolerance < poor_prediction) return norm;
  const auto free_dofs = system_->free_dofs();
  to_rest_.setZero();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) {
    to_rest_[static_cast<Index>(i)] = -data_->acceleration[free_dofs[i]];
  }
  advance(to_rest_, 1.0);
  const ResidualNorm without = evaluate_here(r);
  if (without.square < norm.square) return without;
  advance(to_rest_, -1.0);
  return evaluate_here(r);
}

ResidualNorm SmoothProblem::evaluate_here(Vector& r) {
  StepData& d = *data_;
  dq_ = d.dq_smooth;
  v_ = d.v_smooth;
  if (U_ != nullptr) dq_ += *U_;
  if (W_ != nullptr) v_ += *W_;
  retract(system_->nodes(), *d.q_n, dq_, d.q_smooth);
  const Motion motion{d.q_smooth, v_, d.t};
  d.mass_smooth.assemble(d.q_smooth);
  system_->evaluate_gradients(d.q_smooth, d.t, G_);
  d.mass_smooth.multiply(d.acceleration, residual_);
  system_->add_forces(motion, -1.0, residual_);
  System::add_transpose(system_->constraint_entries(), G_, mu_, -1.0, residual_);
  System::multiply(system_->constraint_entries(), G_, d.v_smooth, row_rate_);
  if (system_->is_rheonomic()) {
    system_->evaluate_partial_rates(d.q_smooth, d.t, partial_rate_);
    row_rate_ += partial_rate_;
  }
  // Rows over v_rate, so that they are the transposed columns up to the rate gradient.
  const ResidualNorm norm = gather_residual(row_rate_, r);
  r.tail(system_->active_row_count()) /= v_rate_;
  return norm;
}

const SparseMatrix& SmoothProblem::tangent() {
  StepData& d = *data_;
  const Motion motion{d.q_smooth, v_, d.t};
  chart_.update(dq_);
  kkt_.begin(d.mass_smooth);
  kkt_.add_force_tangents(motion, dq_rate_, v_rate_, chart_);
  kkt_.add_mass_gradient(d.q_smooth, d.acceleration, dq_rate_, chart_);
  kkt_.add_constraint_curvature(d.q_smooth, d.t, mu_, dq_rate_, chart_);
  kkt_.add_constraint_columns(G_, row_scale_);
  kkt_.add_constraint_rate_rows(G_, {d.q_smooth, d.v_smooth, d.t}, row_scale_, dq_rate_ / v_rate_, chart_);
  kkt_.regularize(row_epsilon_);
  note_diagonal();
  return kkt_.matrix();
}

void SmoothProblem::advance(const Vector& dx, double factor) {
  StepData& d = *data_;
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) {
    const double change = factor * dx[static_cast<Index>(i)];
    d.acceleration[free_dofs[i]] += change;
    auxiliary_[free_dofs[i]] += a_rate_ * change;
    d.v_smooth[free_dofs[i]] += v_rate_ * change;
    d.dq_smooth[free_dofs[i]] += dq_rate_ * change;
  }
  advance_multipliers(dx, factor);
  update_multipliers(d.lambda, 0.0);
}

void SmoothProblem::finish(Vector& auxiliary) {
  data_->lambda = mu_;
  auxiliary = auxiliary_;
  system_->clear_prescribed(auxiliary);
}

}  // namespace picus
