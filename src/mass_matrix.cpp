#include <picus/local_dofs.hpp>
#include <picus/mass_matrix.hpp>

#include <algorithm>

namespace picus {
namespace {

/// Smallest number of rows to multiply for which a further thread pays off.
constexpr std::size_t row_grain = 512;

}  // namespace

MassMatrix::MassMatrix(const System& system) : threads_(system.threads()) {
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
  if (threads_ != nullptr) list_rows();

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

void MassMatrix::list_rows() {
  first_in_row_.assign(matrix_.size + 1, 0);
  for (const Index row : matrix_.row) ++first_in_row_[row + 1];
  for (Index r = 0; r < matrix_.size; ++r) first_in_row_[r + 1] += first_in_row_[r];
  row_entries_.resize(matrix_.row.size());
  std::vector<Index> next(first_in_row_.begin(), first_in_row_.end() - 1);
  for (Index c = 0; c < matrix_.size; ++c) {
    for (Index k = matrix_.column_start[c]; k < matrix_.column_start[c + 1]; ++k)
      row_entries_[next[matrix_.row[k]]++] = {c, k};
  }
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

void MassMatrix::average(const MassMatrix& other, std::span<const char> marked) {
  for (Index c = 0; c < matrix_.size; ++c) {
    for (Index k = matrix_.column_start[c]; k < matrix_.column_start[c + 1]; ++k) {
      const double value = other.matrix_.values[k];
      matrix_.values[k] = marked[c] != 0 ? 0.5 * (matrix_.values[k] + value) : value;
    }
  }
}

void MassMatrix::multiply(const Vector& w, Vector& out) const {
  out.setZero(w.size());
  const double* values = matrix_.values.data();
  if (threads_ != nullptr) {
    threads_->for_parts(matrix_.size, row_grain, [&](std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) {
        double sum = 0;
        for (Index e = first_in_row_[r]; e < first_in_row_[r + 1]; ++e)
          sum += values[row_entries_[e].place] * w[row_entries_[e].column];
        out.data()[r] = sum;
      }
    });
    return;
  }
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
