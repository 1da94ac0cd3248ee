#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/disjoint_sets.hpp>
#include <picus/solvers/subproblems/scales.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {

using solvers::DisjointSets;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

constexpr Index smallest_for_cholmod = 500;

/// Unknowns that a matrix ties to each other.
DisjointSets parts_of(const SparseMatrix& matrix) {
  DisjointSets parts(matrix.size);
  for (Index c = 0; c < matrix.size; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      if (matrix.values[k] != 0) parts.join(matrix.row[k], c);
    }
  }
  return parts;
}

/// The entries of a normal row, by unknown.
struct NormalRow {
  struct Entry {
    Index unknown;
    double value;
  };
  std::size_t contact = 0;
  std::vector<Entry> entries;
};

std::vector<NormalRow> normal_rows(const System& system, const Gradients& G) {
  std::vector<NormalRow> result(system.contacts().size());
  const auto entries = system.contact_entries();
  std::size_t next = 0;
  for (std::size_t c = 0; c < result.size(); ++c) {
    const auto& block = system.contacts()[c];
    result[c].contact = c;
    for (; next < entries.size() && entries[next].row < block.first_row + block.rows; ++next) {
      const Index unknown = system.free_index()[entries[next].dof];
      if (entries[next].row == block.first_row && unknown >= 0)
        result[c].entries.push_back({unknown, G.values[entries[next].source]});
    }
  }
  return result;
}

/// Takes out of `rows` the first ones that have no part in common.
std::vector<NormalRow> take_apart(std::vector<NormalRow>& rows, DisjointSets& parts,
                                  std::vector<char>& is_taken) {
  std::ranges::fill(is_taken, 0);
  const auto is_free = [&](const NormalRow::Entry& entry) {
    return is_taken[parts.find(entry.unknown)] == 0;
  };
  std::vector<NormalRow> taken, left;
  for (NormalRow& row : rows) {
    if (!std::ranges::all_of(row.entries, is_free)) {
      left.push_back(std::move(row));
      continue;
    }
    for (const NormalRow::Entry& entry : row.entries) is_taken[parts.find(entry.unknown)] = 1;
    taken.push_back(std::move(row));
  }
  rows = std::move(left);
  return taken;
}

}  // namespace

Scales::Scales(const System& system, const MassMatrix& mass) : length_(system.length_scale()) {
  const Index count = system.velocity_count();
  dof_kind_.resize(count);
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::scalar)
      reach_ = std::max(reach_, system.model().initial_configuration().position(node).norm());
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
    double& kind_least = least[static_cast<std::size_t>(kind(dof))];
    if (dof_mass_[dof] > 0) kind_least = std::min(kind_least, dof_mass_[dof]);
  }
  if (least[0] == none) least[0] = least[1] != none ? least[1] / (length_ * length_) : 1.0;
  if (least[1] == none) least[1] = least[0] * length_ * length_;
  if (least[2] == none) least[2] = least[1];
  for (Index dof = 0; dof < count; ++dof) {
    if (!(dof_mass_[dof] > 0)) dof_mass_[dof] = least[static_cast<std::size_t>(kind(dof))];
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

Vector contact_masses(const System& system, const MassMatrix& mass, const Scales& scales,
                      const Configuration& q, double t) {
  double typical = 0;
  for (const Index dof : system.free_dofs()) {
    if (scales.kind(dof) == MotionKind::translation) typical = std::max(typical, mass.diagonal(dof));
  }
  if (typical == 0) typical = 1.0;
  Vector result = Vector::Constant(count_of(system.contacts()), typical);
  if (system.contacts().empty()) return result;

  KktAssembler kkt(system, mass, KktAssembler::Rows::bilateral);
  Gradients G = system.make_constraint_gradients();
  Gradients contact_G = system.make_contact_gradients();
  system.evaluate_gradients(q, t, G);
  system.evaluate_contact_gradients(q, contact_G);
  Vector k(system.row_count());
  for (Index row = 0; row < k.size(); ++row) k[row] = scales.row_mass(row);
  kkt.begin(mass);
  kkt.add_constraint_columns(G, k);
  kkt.add_constraint_rows(G, k);
  kkt.regularize(1e-12 * k);
  // Of a large mass matrix one Cholesky factor serves all contacts.
  const bool is_large_mass = kkt.size() == kkt.free_count() && kkt.size() > smallest_for_cholmod;
  const auto solver = make_linear_solver(
      is_large_mass ? LinearSolverKind::cholmod : LinearSolverKind::automatic, kkt.matrix(), is_large_mass);
  solver->analyze(kkt.matrix());
  if (!solver->factorize(kkt.matrix())) return result;

  // One solve for all contacts that move different bodies.
  DisjointSets parts = parts_of(kkt.matrix());
  std::vector<NormalRow> rows = normal_rows(system, contact_G);
  std::vector<char> is_taken(kkt.size());
  Vector x(kkt.size());
  while (!rows.empty()) {
    const std::vector<NormalRow> together = take_apart(rows, parts, is_taken);
    x.setZero();
    for (const NormalRow& row : together) {
      for (const auto& [unknown, value] : row.entries) x[unknown] += value;
    }
    solver->solve(std::span(x.data(), x.size()));
    for (const NormalRow& row : together) {
      double compliance = 0;
      for (const auto& [unknown, value] : row.entries) compliance += value * x[unknown];
      // The compliance of a point that fixations or constraints hold is a rounding error.
      if (compliance > 1e-6 / typical) result[row.contact] = 1.0 / compliance;
    }
  }
  return result;
}

}  // namespace picus
