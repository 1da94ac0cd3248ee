#include <picus/solvers/subproblems/subproblem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace picus {
namespace {

/// Largest proximal term of independent bilateral rows, relative to k. They need none but at singular positions, to
/// keep the pivots there apart from rounding, 1e-16: each iteration leaves about this share of the error of a nearly
/// redundant row, and with 1e-8 a four-bar linkage is caught in its dead point.
constexpr double row_regularization = 1e-12;

std::vector<Index> find_node_starts(const System& system) {
  std::vector<Index> starts;
  const std::span<const Index> dofs = system.free_dofs();
  auto dof = dofs.begin();
  for (const Node& node : system.model().nodes()) {
    const Index end = node.v + velocity_size(node.kind);
    if (dof == dofs.end() || *dof >= end) continue;
    starts.push_back(index_of(dofs, dof));
    while (dof != dofs.end() && *dof < end) ++dof;
  }
  starts.push_back(count_of(dofs));
  return starts;
}

}  // namespace

Subproblem::Subproblem(StepData& data, KktAssembler::Rows rows)
    : data_(&data), system_(data.system), kkt_(*system_, data.mass, rows, &data.patterns) {
  const Index n = system_->velocity_count();
  for (Index row = 0; row < system_->row_count(); ++row) {
    if (system_->active_row()[row] >= 0) active_rows_.push_back(row);
  }
  node_starts_ = find_node_starts(*system_);
  row_scale_ = Vector::Ones(system_->row_count());
  row_epsilon_ = row_x_ = mu_ = Vector::Zero(system_->row_count());
  residual_ = w_ = work_ = Vector::Zero(n);
  weight_ = Vector::Zero(kkt_.size());
  diagonal_ = Vector::Zero(n);
  for (const Index dof : system_->free_dofs()) diagonal_[dof] = data.scales.mass(dof);
  contact_P_ = contact_y_ = Vector::Zero(system_->contact_row_count());
  group_force_.assign(data.groups.count(), 0.0);
  if (rows == KktAssembler::Rows::bilateral) return;
  for (const auto& block : system_->contacts()) {
    cones_.push_back({.rows = block.rows,
                      .first_row = block.first_row,
                      .mu = block.role->law().mu,
                      .rolling_rows = block.role->law().rolling_directions});
  }
  states_.assign(cones_.size(), ContactState::gap);
}

// FNV-1a.
std::uint64_t Subproblem::hashed(std::uint64_t hash, std::uint64_t word) {
  return (hash ^ word) * 1099511628211U;
}

std::uint64_t Subproblem::tangent_family() const {
  constexpr std::uint64_t of_nothing = 14695981039346656037U;
  const std::uint64_t of_step = hashed(of_nothing, std::bit_cast<std::uint64_t>(data_->h));
  return hashed(of_step, std::bit_cast<std::uint64_t>(scaling_));
}

std::uint64_t Subproblem::tangent_kind() const {
  std::uint64_t hash = tangent_family();
  for (std::size_t c = 0; c < cones_.size(); ++c)
    hash = hashed(hash, 2 * static_cast<std::uint64_t>(states_[c]) + (cones_[c].is_candidate ? 1 : 0));
  return hash;
}

void Subproblem::set_scaling(double scaling, double regularization) {
  scaling_ = scaling;
  regularization_ = regularization;
  for (Index row = 0; row < row_scale_.size(); ++row) {
    const double mass = data_->scales.row_mass(row);
    row_x_[row] *= row_scale_[row] / (scaling * mass);  // k x, the physical multiplier, is unchanged
    row_scale_[row] = scaling * mass;
  }
  regularize_rows();
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const double mass = data_->contact_mass[c];
    cones_[c].k = cones_[c].p = scaling * mass;
    cones_[c].epsilon = regularization * scaling * scaling * mass;
  }
}

void Subproblem::regularize_rows() {
  row_epsilon_ = std::min(regularization_, row_regularization) * scaling_ * row_scale_;
  for (const Redundancy& redundancy : data_->redundancies)
    for (const auto& [row, value] : redundancy.rows)
      row_epsilon_[row] = regularization_ * scaling_ * row_scale_[row];
  regularized_redundancies_ = data_->redundancies.size();
}

std::string Subproblem::describe(Index unknown) const {
  if (unknown < kkt_.free_count()) return system_->describe_dof(system_->free_dofs()[unknown]);
  if (unknown >= kkt_.first_contact_unknown()) {
    return system_->describe_contact_row(unknown - kkt_.first_contact_unknown());
  }
  return system_->describe_row(active_rows_[unknown - kkt_.free_count()]);
}

void Subproblem::note_diagonal() {
  const auto free_dofs = system_->free_dofs();
  for (Index i = 0; i < count_of(free_dofs); ++i) {
    double& largest = diagonal_[free_dofs[i]];
    largest = std::max(largest, std::abs(kkt_.diagonal(i)));
  }
}

void Subproblem::set_tolerances(const ToleranceFactors& factors, const Vector* fixed_impulse) {
  const Scales& scales = data_->scales;
  const BodyGroups& groups = data_->groups;
  const auto free_dofs = system_->free_dofs();
  for (std::size_t g = 0; g < group_force_.size(); ++g)
    group_force_[g] = factors.impulse * data_->impulse_n[g];
  const auto raise = [&](Index group, double force) {
    group_force_[group] = std::max(group_force_[group], std::abs(force));
  };
  for (const Index row : active_rows_) raise(groups.of_row(row), mu_[row]);
  if (fixed_impulse != nullptr) {
    for (const Index dof : free_dofs) raise(groups.of_dof(dof), (*fixed_impulse)[dof]);
  }
  const auto motion = [&](Index group, MotionKind kind) {
    return factors.in_lengths ? groups.length(group, kind) : data_->speed[group][place_of(kind)];
  };
  for (std::size_t i = 0; i < free_dofs.size(); ++i) {
    const Index dof = free_dofs[i];
    const Index group = groups.of_dof(dof);
    const MotionKind kind = scales.kind(dof);
    const double length = groups.length(group);
    const double arm = kind == MotionKind::rotation ? length : 1.0;
    // Stiffness forces, K dx = (K length) (dx / length), have the relative error of coordinates.
    const double stiffness = diagonal_[dof] - scales.mass(dof);
    const double diagonal = sum_rounding * diagonal_[dof] +
                            coordinate_rounding * stiffness * groups.distance_from_origin(group) / length;
    // So have displacements, where they are unknowns.
    const double place =
        factors.coordinates * coordinate_rounding * groups.distance_from_origin(group) / length;
    const double unit = data_->tolerance * factors.momentum * scales.mass(dof) * motion(group, kind) +
                        place * scales.mass(dof) * groups.length(group, kind) +
                        factors.momentum_floor * groups.length(group, kind) * diagonal +
                        sum_rounding * group_force_[group] * arm;
    weight_[i] = 1.0 / unit;
  }
  const auto row_unit = [&](Index group, MotionKind kind) {
    // Rounded coordinates enter lever arms and directions of rows.
    const double place = coordinate_rounding * groups.distance_from_origin(group);
    const double tolerance = data_->tolerance + place / groups.length(group);
    return factors.row * tolerance * motion(group, kind) +
           factors.row_floor * sum_rounding * groups.length(group, kind) +
           (kind == MotionKind::translation ? factors.coordinates * place : 0.0);
  };
  Index next = kkt_.free_count();
  for (const Index row : active_rows_)
    weight_[next++] = 1.0 / (row_scale_[row] * row_unit(groups.of_row(row), scales.row_kind(row)));
  contact_rounding_ = 0.0;
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    const Index one = groups.of_contact(c), other = groups.of_other_side(c);
    const double unit =
        std::max(row_unit(one, MotionKind::translation), row_unit(other, MotionKind::translation));
    const double place = factors.coordinates * coordinate_rounding *
                         std::max(groups.distance_from_origin(one), groups.distance_from_origin(other));
    contact_rounding_ = std::max(contact_rounding_, place / unit);
    weight_.segment(kkt_.first_contact_unknown() + cone.first_row, cone.rows)
        .setConstant(1.0 / (cone.k * unit));
  }
}

Vector Subproblem::row_tolerances() const {
  const Index first = kkt_.free_count();
  Vector tolerance = weight_.tail(weight_.size() - first).cwiseInverse();  // of k y
  for (Index i = 0; i < count_of(active_rows_); ++i) tolerance[i] /= row_scale_[active_rows_[i]];
  const Index bilateral = count_of(active_rows_);
  for (const ContactCone& cone : cones_) tolerance.segment(bilateral + cone.first_row, cone.rows) /= cone.k;
  return tolerance;
}

Vector Subproblem::row_multipliers() const {
  Vector x(kkt_.size() - kkt_.free_count());
  const Index bilateral = count_of(active_rows_);
  for (Index i = 0; i < bilateral; ++i) x[i] = row_x_[active_rows_[i]];
  for (const ContactCone& cone : cones_)
    x.segment(bilateral + cone.first_row, cone.rows) = contact_P_.segment(cone.first_row, cone.rows) / cone.k;
  return x;
}

void Subproblem::set_row_multipliers(const Vector& x) {
  Vector change = Vector::Zero(size());
  change.tail(x.size()) = x - row_multipliers();
  advance(change, 1.0);
}

void Subproblem::relax(const Vector& shift, double compliance) {
  is_relaxed_ = true;
  shift_ = shift;
  compliance_ = compliance;
  if (compliance == 0) return;
  row_epsilon_ = compliance * row_scale_;
  for (ContactCone& cone : cones_) cone.epsilon = compliance * cone.k;
}

ResidualNorm Subproblem::gather_residual(const Vector& row_value, Vector& r) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) r[i] = residual_[free_dofs[i]];
  Index next = kkt_.free_count();
  for (const Index row : active_rows_) {
    const double open = is_relaxed_ ? shift_[next - kkt_.free_count()] + compliance_ * row_x_[row] : 0.0;
    r[next++] = -row_scale_[row] * (row_value[row] + open);
  }
  if (is_relaxed_ && !cones_.empty()) {
    const Index bilateral = count_of(active_rows_);
    for (const ContactCone& cone : cones_) {
      contact_y_.segment(cone.first_row, cone.rows) +=
          shift_.segment(bilateral + cone.first_row, cone.rows) +
          compliance_ / cone.k * contact_P_.segment(cone.first_row, cone.rows);
    }
  }
  if (redundant_.is_known()) redundant_.remove(r.segment(kkt_.free_count(), count_of(active_rows_)));
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const ContactCone& cone = cones_[c];
    states_[c] = contact_residual(cone, &contact_y_[cone.first_row], &contact_P_[cone.first_row],
                                  &r[kkt_.first_contact_unknown() + cone.first_row]);
  }
  ResidualNorm norm;
  for (Index i = 0; i < r.size(); ++i) {
    const double measure = std::abs(r[i]) * weight_[i];
    norm.square += measure * measure;
    // Written such that NaN is propagated.
    if (!(measure <= norm.worst) && !std::isnan(norm.worst)) {
      norm.worst = measure;
      norm.where = i;
    }
  }
  return norm;
}

void Subproblem::set_restitution_rates(const Vector& contact_rate_n, const Vector* rates_after_impact,
                                       Vector& rates) const {
  rates.setZero(system_->contact_row_count());
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const bool is_new = (*data_->contact_state_n)[c] == ContactState::gap;
    if (restitution_scope_ == Restitution::none || (restitution_scope_ != Restitution::complete && !is_new))
      continue;
    const ContactLaw& law = system_->contacts()[c].role->law();
    const Index first = cones_[c].first_row;
    if (law.impact.kind != ImpactLaw::Kind::newton) {
      if (rates_after_impact != nullptr) rates[first] = -(*rates_after_impact)[first];
      continue;
    }
    for (Index i = 0; i <= law.friction_directions; ++i)
      rates[first + i] = (i == 0 ? law.e_n : law.e_t) * contact_rate_n[first + i];
  }
}

ContactEquations Subproblem::linearise(ContactCone cone) const {
  if (contact_row_content_ == ContactRows::motion) {
    ContactEquations equations;
    for (Index i = 0; i < cone.rows; ++i) equations.D[i * cone.rows + i] = -cone.k;
    return equations;
  }
  if (contact_row_content_ == ContactRows::fixed) cone.is_candidate = false;
  return contact_equations(cone, &contact_y_[cone.first_row], &contact_P_[cone.first_row]);
}

const SparseMatrix& Subproblem::tangent_with(ContactRows rows) {
  contact_row_content_ = rows;
  const SparseMatrix& matrix = tangent();
  contact_row_content_ = ContactRows::law;
  return matrix;
}

double Subproblem::fixed_multiplier_row(Index contact_row, double dP) const {
  for (const ContactCone& cone : cones_) {
    // An open contact has the row -k^2/p dx with dP = k dx.
    if (contact_row < cone.first_row + cone.rows) return -cone.k / cone.p * dP;
  }
  return 0.0;
}

void Subproblem::advance_multipliers(const Vector& dx, double factor) {
  Index next = kkt_.free_count();
  for (const Index row : active_rows_) row_x_[row] += factor * dx[next++];
  for (const ContactCone& cone : cones_) {
    for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i) {
      contact_P_[i] += factor * cone.k * dx[kkt_.first_contact_unknown() + i];
    }
  }
}

void Subproblem::update_multipliers(const Vector* lambda, double factor) {
  if (lambda != nullptr && factor != 0) {
    mu_ = factor * *lambda + row_scale_.cwiseProduct(row_x_);
  } else {
    mu_ = row_scale_.cwiseProduct(row_x_);
  }
}

}  // namespace picus
