#include <picus/local_dofs.hpp>
#include <picus/solvers/analyses/model_size.hpp>
#include <picus/solvers/analyses/static_problem.hpp>
#include <picus/solvers/linear/profiled_solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace picus::solvers {
namespace {

/// Rounding level of sums of a few dozen terms, relative to the terms; the Newton iteration aims at a fraction of it.
constexpr double rounding = 100 * std::numeric_limits<double>::epsilon();
constexpr double aimed_part = 0.02;

/// Lower bound of the typical force of one kind relative to the others, and of a component relative to the largest of
/// its kind.
constexpr double least_part = 1e-3;

/// Reference of rows of constraints and gaps, relative to the size of the model.
constexpr double least_motion = 1e-3;

/// At rounding level, a step that leaves more than this fraction of the residual is the last one.
constexpr double stagnation = 0.25;

constexpr Index smallest_for_cholmod = 500;

}  // namespace

StaticProblem::StaticProblem(StepData& data, const std::optional<Vec3>& angular_velocity)
    : Stage(data, "static", KktAssembler::Rows::bilateral_and_contacts) {
  const Index n = system_->velocity_count();
  if (angular_velocity) {
    frame_.emplace(*system_, kkt_.matrix());
    angular_velocity_ = *angular_velocity;
  }
  frame_velocity_ = a_ = magnitude_ = last_diagonal_ = level_diagonal_ = rigidity_ = Vector::Zero(n);
  stiffness_ = Vector::Ones(n);
  data.scales.set_size(size_of_model(*system_, data.scales, data.mass));
  floor_ = Vector::Zero(kkt_.size());
  contact_stiffness_ = Vector::Zero(count_of(cones_));
  contact_softness_ = Vector::Zero(system_->contact_row_count());
  diagonal_.setZero();
}

std::unique_ptr<LinearSolver> StaticProblem::make_solver(LinearSolverKind kind) const {
  // A stiffness matrix without mass is too ill-conditioned for iterative solvers.
  const bool is_stiffness = is_symmetric() && !frame_;
  if (kind == LinearSolverKind::automatic && is_stiffness && kkt_.size() > smallest_for_cholmod)
    kind = LinearSolverKind::cholmod;
  auto solver = with_profile(make_linear_solver(kind, pattern(), is_stiffness), system_->profile());
  analyze_with(*solver);
  return solver;
}

void StaticProblem::analyze_with(LinearSolver& solver) const {
  solver.analyze(pattern(), kkt_.size() - first_contact_unknown());
}

void StaticProblem::begin(const Vector& lambda, const Vector& P, double load_factor, double proximal) {
  contact_P_ = P;
  load_factor_ = load_factor;
  is_linearised_ = false;
  // Centrifugal forces, quadratic in the speed, grow with the load factor.
  if (frame_) frame_->set_angular_velocity(std::sqrt(std::max(load_factor, 0.0)) * angular_velocity_);
  StepData& d = *data_;
  const StageMap dq{.constant = &d.dq_smooth, .own = 1.0};
  const StageSetting setting{.source = 1.0,
                             .force_point = &d,
                             .dq_forces = dq,
                             .v_forces = {.constant = &frame_velocity_},
                             .constraint_point = &d,
                             .dq_constraints = dq,
                             .rows = RowLevel::position,
                             .contacts = RowLevel::position};
  Stage::begin(setting, nullptr, &lambda);
  proximal_ = 0.0;
  if (proximal == 0 && cones_.empty()) return;
  evaluate_equations();
  add_reaction_magnitudes();
  find_typical_forces();
  set_typical_rigidity();
  scale_contacts(proximal);
  proximal_ = proximal;
}

NewtonOptions StaticProblem::newton_options(int max_iterations) {
  return {.max_iterations = max_iterations, .stagnation = stagnation};
}

void StaticProblem::hold_contacts() {
  constexpr double holds_anything = 1e100;
  for (ContactCone& cone : cones_) {
    if (cone.mu > 0) cone.mu = holds_anything;
  }
}

void StaticProblem::release_contacts() {
  for (ContactCone& cone : cones_) cone.is_candidate = false;
  contact_P_.setZero();
}

void StaticProblem::add_forces() {
  StepData& d = *data_;
  if (frame_) {
    frame_->rest(d.q, frame_velocity_, a_);
    d.mass.assemble(d.q);
    d.mass.multiply(a_, residual_);
  }
  magnitude_ = residual_.cwiseAbs();
  const Motion motion{d.q, frame_velocity_, d.t};
  std::array<double, max_local_dofs> buffer;
  for (const auto& [element, role] : system_->model().forces()) {
    const std::span<double> f(buffer.data(), element->dof_count());
    std::fill(f.begin(), f.end(), 0.0);
    role->force(motion, f);
    const double factor = role->traits().is_load ? load_factor_ : 1.0;
    for_each_dof(*element, [&](Index local, Index dof) {
      const double part = factor * f[local];
      residual_[dof] -= part;
      magnitude_[dof] += std::abs(part);
    });
  }
}

void StaticProblem::add_force_tangents(double /*dq_rate*/, double /*v_rate*/) {
  StepData& d = *data_;
  kkt_.add_force_tangents({d.q, frame_velocity_, d.t}, 1.0, 0.0, d.chart, load_factor_);
  if (frame_) kkt_.add_mass_gradient(d.q, a_, 1.0, d.chart);
}

void StaticProblem::add_reaction_magnitudes() {
  const StepData& d = *data_;
  for (const GradientEntry& e : system_->constraint_entries())
    magnitude_[e.dof] += std::abs(d.G.values[e.source] * mu_[e.row]);
  for (const GradientEntry& e : system_->contact_entries())
    magnitude_[e.dof] += std::abs(d.contact_G.values[e.source] * contact_P_[e.row]);
}

ResidualNorm StaticProblem::evaluate(Vector& r) {
  evaluate_equations();
  add_reaction_magnitudes();
  find_typical_forces();
  update_weights();
  if (proximal_ > 0) {
    for (const Index dof : system_->free_dofs()) residual_[dof] += proximal_ * rigidity_[dof] * z_[dof];
  }
  ResidualNorm norm = gather_residual(row_value_, r);
  norm.over_rounding = r.cwiseAbs().cwiseProduct(floor_).maxCoeff();
  return norm;
}

void StaticProblem::find_typical_forces() {
  const Scales& scales = data_->scales;
  const double length = scales.length(MotionKind::translation);
  force_ = {0.0, 0.0, 0.0};
  for (const Index dof : system_->free_dofs()) {
    double& largest = force_[place_of(scales.kind(dof))];
    largest = std::max(largest, magnitude_[dof]);
  }
  force_[0] = std::max(force_[0], least_part * std::max(force_[1], force_[2]) / length);
  force_[1] = std::max(force_[1], least_part * force_[0] * length);
  force_[2] = std::max(force_[2], least_part * force_[1]);
}

void StaticProblem::set_typical_rigidity() {
  const double length = data_->scales.length(MotionKind::translation);
  for (const Index dof : system_->free_dofs()) {
    const MotionKind kind = data_->scales.kind(dof);
    const double force = force_[place_of(kind)];
    rigidity_[dof] = force > 0 ? force / (kind == MotionKind::translation ? length : 1.0) : stiffness_[dof];
  }
}

/// k and p of a contact are the stiffness of what it touches, at least that of the proximal term: a rigid body has no
/// other. Without this bound the tolerance of a friction force, k times that of a gap, is below its rounding error.
void StaticProblem::scale_contacts(double proximal) {
  Vector& softness = contact_softness_;
  softness.setZero();
  for (const GradientEntry& e : system_->contact_entries()) {
    const double value = data_->contact_G.values[e.source];
    if (system_->free_index()[e.dof] >= 0) softness[e.row] += value * value / rigidity_[e.dof];
  }
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    ContactCone& cone = cones_[c];
    const double s = softness[cone.first_row];
    const double least = s > 0 && std::isfinite(s) ? scaling_ * std::max(proximal, 1.0) / s : 0.0;
    cone.k = cone.p = std::max(contact_stiffness_[static_cast<Index>(c)], least);
    cone.epsilon = regularization_ * scaling_ * cone.k;
  }
}

void StaticProblem::update_weights() {
  const Scales& scales = data_->scales;
  const double tolerance = data_->tolerance;
  const double length = scales.length(MotionKind::translation);
  const double largest_mu = mu_.size() > 0 ? mu_.lpNorm<Eigen::Infinity>() : 0.0;
  const double largest_P = contact_P_.size() > 0 ? contact_P_.lpNorm<Eigen::Infinity>() : 0.0;
  const auto free_dofs = system_->free_dofs();
  const auto root_of_stiffness = [&](Index dof) {
    return std::sqrt(std::max(level_diagonal_[dof], stiffness_[dof]));
  };
  // Rounding errors of all components of a node act on each, |K_ij| <= sqrt(K_ii K_jj): those of the positions of a
  // slender beam, times its shear stiffness, on its moments.
  const auto weigh_node = [&](Index first, Index end) {
    double error = 0.0;
    for (Index i = first; i < end; ++i) {
      const MotionKind kind = scales.kind(free_dofs[i]);
      const double place =
          rounding * scales.length(kind) + coordinate_rounding * scales.coordinate_magnitude(kind);
      error = std::max(error, root_of_stiffness(free_dofs[i]) * place);
    }
    for (Index i = first; i < end; ++i) {
      const Index dof = free_dofs[i];
      const MotionKind kind = scales.kind(dof);
      const double arm = kind == MotionKind::rotation ? length : 1.0;
      const double force = std::max(magnitude_[dof], least_part * force_[place_of(kind)]);
      const double level = root_of_stiffness(dof) * error + rounding * (largest_mu + largest_P) * arm;
      weight_[i] = 1.0 / (tolerance * force + aimed_part * level);
      floor_[i] = 1.0 / (tolerance * force + level);
    }
  };
  for (std::size_t node = 0; node + 1 < node_starts_.size(); ++node)
    weigh_node(node_starts_[node], node_starts_[node + 1]);
  const auto motion = [&](MotionKind kind) {
    return (tolerance * least_motion + rounding) * scales.length(kind) +
           coordinate_rounding * scales.coordinate_magnitude(kind);
  };
  Index next = kkt_.free_count();
  for (const Index row : active_rows_)
    weight_[next++] = 1.0 / (row_scale_[row] * motion(scales.row_kind(row)));
  for (const ContactCone& cone : cones_) {
    const double unit = cone.k * motion(MotionKind::translation) + rounding * largest_P;
    weight_.segment(kkt_.first_contact_unknown() + cone.first_row, cone.rows).setConstant(1.0 / unit);
  }
  const Index rows = kkt_.size() - kkt_.free_count();
  floor_.tail(rows) = weight_.tail(rows);
}

void StaticProblem::accept() {
  if (is_linearised_) level_diagonal_ = last_diagonal_;
}

const SparseMatrix& StaticProblem::tangent() {
  const StepData& d = *data_;
  const SparseMatrix& matrix = Stage::tangent();
  const auto free_dofs = system_->free_dofs();
  for (Index i = 0; i < count_of(free_dofs); ++i) last_diagonal_[free_dofs[i]] = std::abs(kkt_.diagonal(i));
  is_linearised_ = true;
  if (proximal_ > 0) kkt_.add_diagonal(proximal_ * rigidity_);
  if (restraint_ > 0) kkt_.add_diagonal(restraint_ * stiffness_);
  return frame_ ? frame_->combine(matrix, {d.q, frame_velocity_, d.t}, load_factor_, d.chart) : matrix;
}

const SparseMatrix& StaticProblem::stiffness() {
  const double proximal = std::exchange(proximal_, 0.0);
  const double restraint = std::exchange(restraint_, 0.0);
  const SparseMatrix& matrix = tangent();
  proximal_ = proximal;
  restraint_ = restraint;
  return matrix;
}

const SparseMatrix& StaticProblem::held_stiffness() {
  close_touching_contacts();
  hold_contacts();
  const SparseMatrix& matrix = stiffness();
  set_friction(true);
  return matrix;
}

const SparseMatrix& StaticProblem::smooth_stiffness() {
  close_touching_contacts();
  set_friction(false);
  const SparseMatrix& matrix = stiffness();
  set_friction(true);
  return matrix;
}

/// Without load the rounding error of a gap decides whether a contact is open.
void StaticProblem::close_touching_contacts() {
  const double touching = data_->tolerance * data_->scales.length(MotionKind::translation);
  for (const ContactCone& cone : cones_) {
    double& gap = contact_y_[cone.first_row];
    if (std::abs(gap) <= touching) gap = 0.0;
  }
}

/// Components without stiffness get the smallest of their kind, or a typical force over the size of the model.
Vector StaticProblem::typical_stiffness(const Vector& diagonal) const {
  const Scales& scales = data_->scales;
  const double length = scales.length(MotionKind::translation);
  constexpr double none = std::numeric_limits<double>::infinity();
  PerKind least{none, none, none};
  const double negligible = 1e-14 * diagonal.lpNorm<Eigen::Infinity>();
  for (const Index dof : system_->free_dofs()) {
    double& kind_least = least[place_of(scales.kind(dof))];
    if (diagonal[dof] > negligible) kind_least = std::min(kind_least, diagonal[dof]);
  }
  const double by_force = force_[0] > 0 ? force_[0] / length : 1.0;
  if (least[0] == none) least[0] = least[1] != none ? least[1] / (length * length) : by_force;
  if (least[1] == none) least[1] = least[0] * length * length;
  if (least[2] == none) least[2] = least[1];
  Vector result = Vector::Ones(diagonal.size());
  for (const Index dof : system_->free_dofs()) {
    result[dof] = diagonal[dof] > negligible ? diagonal[dof] : least[place_of(scales.kind(dof))];
  }
  return result;
}

void StaticProblem::measure_stiffness(LinearSolver& solver, double scaling, double regularization) {
  scaling_ = scaling;
  regularization_ = regularization;
  Vector r(kkt_.size());
  evaluate(r);
  diagonal_.setZero();
  stiffness();
  stiffness_ = typical_stiffness(diagonal_);

  const auto free_index = system_->free_index();
  Vector compliance = Vector::Zero(system_->row_count());
  for (const GradientEntry& e : system_->constraint_entries()) {
    const double value = data_->G.values[e.source];
    if (free_index[e.dof] >= 0) compliance[e.row] += value * value / stiffness_[e.dof];
  }
  for (Index row = 0; row < row_scale_.size(); ++row) {
    row_x_[row] *= row_scale_[row];
    row_scale_[row] = scaling * (compliance[row] > 0 ? 1.0 / compliance[row] : 1.0);
    row_x_[row] /= row_scale_[row];
    row_epsilon_[row] = regularization * scaling * row_scale_[row];
  }
  if (cones_.empty()) return;

  // Effective stiffness at a contact: that of the whole structure, with rigid-body motions restrained by a soft
  // proximal term.
  proximal_ = 0.0;
  for (ContactCone& cone : cones_) cone.is_candidate = false;
  tangent();
  for (ContactCone& cone : cones_) cone.is_candidate = true;
  kkt_.add_diagonal(1e-3 * stiffness_);
  const SparseMatrix& matrix = frame_ ? frame_->combine(kkt_.matrix(), {data_->q, frame_velocity_, data_->t},
                                                        load_factor_, data_->chart)
                                      : kkt_.matrix();
  const bool solves = solver.factorize(matrix);
  Vector x(kkt_.size());
  for (ContactCone& cone : cones_) {
    double softness = 0.0;
    double diagonal_softness = 0.0;
    x.setZero();
    const auto each_entry = [&](auto&& visit) {
      for (const GradientEntry& e : system_->contact_entries()) {
        if (e.row != cone.first_row || free_index[e.dof] < 0) continue;
        visit(data_->contact_G.values[e.source], e.dof, free_index[e.dof]);
      }
    };
    each_entry([&](double value, Index dof, Index unknown) {
      x[unknown] += value;
      diagonal_softness += value * value / stiffness_[dof];
    });
    if (solves) {
      solver.solve(std::span(x.data(), kkt_.size()));
      each_entry([&](double value, Index, Index unknown) { softness += value * x[unknown]; });
    }
    if (!(softness > 1e-6 * diagonal_softness)) softness = diagonal_softness;
    cone.k = cone.p = scaling * (softness > 0 && std::isfinite(softness) ? 1.0 / softness : 1.0);
    cone.epsilon = regularization * scaling * cone.k;
    contact_stiffness_[&cone - cones_.data()] = cone.k;
  }
}

}  // namespace picus::solvers
