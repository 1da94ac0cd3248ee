#include <picus/solvers/subproblems/scales.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

}  // namespace

Scales::Scales(const System& system, const MassMatrix& mass) : length_(system.length_scale()) {
  const Index count = system.velocity_count();
  dof_kind_.resize(count);
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::scalar)
      distance_from_origin_ =
          std::max(distance_from_origin_, system.model().initial_configuration().position(node).norm());
    for (Index i = 0; i < velocity_size(node.kind); ++i) {
      dof_kind_[node.v + i] = node.kind == NodeKind::scalar ? MotionKind::scalar
                              : i < 3                       ? MotionKind::translation
                                                            : MotionKind::rotation;
    }
  }
  PerKind least{none, none, none};
  dof_mass_ = Vector::Zero(count);
  for (Index dof = 0; dof < count; ++dof) {
    dof_mass_[dof] = mass.diagonal(dof);
    double& kind_least = least[place_of(kind(dof))];
    if (dof_mass_[dof] > 0) kind_least = std::min(kind_least, dof_mass_[dof]);
  }
  if (least[0] == none) least[0] = least[1] != none ? least[1] / (length_ * length_) : 1.0;
  if (least[1] == none) least[1] = least[0] * length_ * length_;
  if (least[2] == none) least[2] = least[1];
  for (Index dof = 0; dof < count; ++dof) {
    if (!(dof_mass_[dof] > 0)) dof_mass_[dof] = least[place_of(kind(dof))];
  }
  measure_rows(system, mass);
}

void Scales::measure_rows(const System& system, const MassMatrix& mass) {
  row_kind_.assign(system.row_count(), MotionKind::scalar);
  Vector inverse = Vector::Zero(system.row_count());
  Vector least = Vector::Constant(system.row_count(), none);
  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(system.model().initial_configuration(), 0.0, G);
  for (const GradientEntry& e : system.constraint_entries()) {
    auto& row_kind = row_kind_[e.row];
    row_kind = std::min(row_kind, kind(e.dof));
    const double value = G.values[e.source];
    if (value == 0 || system.free_index()[e.dof] < 0) continue;
    least[e.row] = std::min(least[e.row], dof_mass_[e.dof] / (value * value));
    if (mass.diagonal(e.dof) > 0) inverse[e.row] += value * value / mass.diagonal(e.dof);
  }
  row_mass_ = Vector::Ones(system.row_count());
  for (Index row = 0; row < system.row_count(); ++row) {
    if (inverse[row] > 0) {
      row_mass_[row] = 1.0 / inverse[row];
    } else if (least[row] < none) {
      row_mass_[row] = least[row];
    }
  }
}

}  // namespace picus
