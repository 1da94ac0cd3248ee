#include <picus/local_dofs.hpp>
#include <picus/mass_matrix.hpp>

#include <algorithm>

namespace picus {

MassMatrix::MassMatrix(const System& system) {
  const Model& model = system.model();
  const Configuration& q = model.initial_configuration();
  PatternBuilder pattern(system.velocity_count());
  for (Index i = 0; i < system.velocity_count(); ++i) pattern.add(i, i);

  std::vector<Index> natural;
  const auto list = [&](const Element& element) {
    natural.clear();
    for_each_dof(element, [&](Index, Index dof) { natural.push_back(dof); });
    local_.assign(natural.size() * natural.size(), 0.0);
  };
  for (const auto& [element, role] : model.inertias()) {
    list(*element);
    const bool is_constant = role->has_constant_mass();
    if (is_constant) role->mass(q, local_);
    std::size_t k = 0;
    for (const Index c : natural) {
      for (const Index r : natural) {
        if (!is_constant || local_[k] != 0) pattern.add(r, c);
        ++k;
      }
    }
  }
  matrix_ = pattern.compress();

  std::size_t largest = 0;
  for (const auto& [element, role] : model.inertias()) {
    list(*element);
    if (!role->has_constant_mass()) {
      Block block{role, {}};
      for (const Index c : natural) {
        for (const Index r : natural) block.target.push_back(matrix_.find(r, c));
      }
      largest = std::max(largest, local_.size());
      varying_.push_back(std::move(block));
      continue;
    }
    role->mass(q, local_);
    std::size_t k = 0;
    for (const Index c : natural) {
      for (const Index r : natural) {
        if (local_[k] != 0) matrix_.values[matrix_.find(r, c)] += local_[k];
        ++k;
      }
    }
  }
  local_ = std::vector<double>(largest);
  is_constant_ = varying_.empty();
  if (!is_constant_) constant_values_ = matrix_.values;
  assemble(q);
}

void MassMatrix::assemble(const Configuration& q) {
  if (is_constant_) return;
  matrix_.values = constant_values_;
  for (const Block& block : varying_) {
    const std::span<double> local(local_.data(), block.target.size());
    std::fill(local.begin(), local.end(), 0.0);
    block.role->mass(q, local);
    for (std::size_t k = 0; k < local.size(); ++k) matrix_.values[block.target[k]] += local[k];
  }
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
