#include <picus/local_dofs.hpp>
#include <picus/mass_matrix.hpp>

#include <algorithm>

namespace picus {

MassMatrix::MassMatrix(const System& system) {
  const Model& model = system.model();
  const Configuration& q = model.initial_configuration();
  PatternBuilder pattern(system.velocity_count());
  for (Index i = 0; i < system.velocity_count(); ++i) pattern.add(i, i);

  std::vector<std::vector<Index>> dofs;
  std::vector<std::vector<double>> start;
  for (const auto& [element, role] : model.inertias()) {
    std::vector<Index> natural;
    for_each_dof(*element, [&](Index, Index dof) { natural.push_back(dof); });
    std::vector<double> M(natural.size() * natural.size(), 0.0);
    role->mass(q, M);
    for (std::size_t c = 0; c < natural.size(); ++c) {
      for (std::size_t r = 0; r < natural.size(); ++r) {
        if (!role->has_constant_mass() || M[c * natural.size() + r] != 0) pattern.add(natural[r], natural[c]);
      }
    }
    dofs.push_back(std::move(natural));
    start.push_back(std::move(M));
  }
  matrix_ = pattern.compress();

  for (std::size_t e = 0; e < dofs.size(); ++e) {
    const auto& [element, role] = model.inertias()[e];
    const std::size_t n = dofs[e].size();
    Block block{element, role, std::vector<Index>(n * n, -1)};
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r < n; ++r) {
        if (role->has_constant_mass() && start[e][c * n + r] == 0) continue;
        block.target[c * n + r] = matrix_.find(dofs[e][r], dofs[e][c]);
      }
    }
    local_.resize(std::max(local_.size(), n * n));
    (role->has_constant_mass() ? constant_ : varying_).push_back(std::move(block));
  }
  for (const Block& block : constant_) add(block, q);
  constant_values_ = matrix_.values;
  is_constant_ = varying_.empty();
  assemble(q);
}

void MassMatrix::add(const Block& block, const Configuration& q) {
  const std::span<double> local(local_.data(), block.target.size());
  std::fill(local.begin(), local.end(), 0.0);
  block.role->mass(q, local);
  for (std::size_t k = 0; k < block.target.size(); ++k) {
    if (block.target[k] >= 0) matrix_.values[block.target[k]] += local[k];
  }
}

void MassMatrix::assemble(const Configuration& q) {
  if (is_constant_) return;
  matrix_.values = constant_values_;
  for (const Block& block : varying_) add(block, q);
}

void MassMatrix::multiply(const Vector& w, Vector& out) const {
  out.setZero(w.size());
  const double* values = matrix_.values.data();
  const Index* row = matrix_.row.data();
  const Index* start = matrix_.column_start.data();
  for (Index c = 0; c < matrix_.size; ++c) {
    for (Index k = start[c]; k < start[c + 1]; ++k) out[row[k]] += values[k] * w[c];
  }
}

double MassMatrix::quadratic(const Vector& v) const {
  double sum = 0;
  for (Index c = 0; c < matrix_.size; ++c) {
    for (Index k = matrix_.column_start[c]; k < matrix_.column_start[c + 1]; ++k) {
      sum += v[matrix_.row[k]] * matrix_.values[k] * v[c];
    }
  }
  return sum;
}

double MassMatrix::diagonal(Index dof) const {
  return matrix_.values[matrix_.find(dof, dof)];
}

}  // namespace picus
