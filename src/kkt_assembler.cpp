#include <picus/kkt_assembler.hpp>
#include <picus/local_dofs.hpp>

#include <algorithm>

namespace picus {

void KktAssembler::begin() {
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
}

void KktAssembler::begin(const MassMatrix& mass) {
  begin();
  const std::vector<double>& values = mass.matrix().values;
  for (const Scatter& s : mass_) matrix_.values[s.target] = values[s.source];
}

void KktAssembler::scatter_square(const Square& square, Index dofs, std::span<const double> local,
                                  double weight) {
  const std::span<const Run> runs(runs_.data() + square.first_run, runs_.data() + square.last_run);
  const Index* target = square_targets_.data() + square.first_target;
  for (const Run& columns : runs) {
    for (Index c = columns.local; c < columns.local + columns.count; ++c) {
      const double* column = local.data() + static_cast<std::size_t>(c) * dofs;
      for (const Run& run : runs) {
        double* values = matrix_.values.data() + *target++;
        for (Index i = 0; i < run.count; ++i) values[i] += weight * column[run.local + i];
      }
    }
  }
}

void KktAssembler::add_force_tangents(const Motion& motion, double stiffness, double damping,
                                      const Chart& chart, double load_factor) {
  const auto roles = system_->model().forces();
  for (std::size_t e = 0; e < roles.size(); ++e) {
    const auto& [element, role] = roles[e];
    const Force::Traits traits = role->traits();
    const bool needs_K = traits.depends_on_configuration && stiffness != 0;
    const bool needs_C = traits.depends_on_velocity && damping != 0;
    if (!needs_K && !needs_C) continue;
    const std::size_t n = element->dof_count();
    const std::span<double> K(local_.data(), n * n);
    const std::span<double> C(other_.data(), n * n);
    std::fill(K.begin(), K.end(), 0.0);
    std::fill(C.begin(), C.end(), 0.0);
    role->tangents(motion, K, C);
    const double factor = traits.is_load ? load_factor : 1.0;
    if (needs_K) {
      if (!chart.is_trivial(*element)) chart.apply(*element, element->dof_count(), K);
      scatter_square(forces_[e], element->dof_count(), K, factor * stiffness);
    }
    if (needs_C) scatter_square(forces_[e], element->dof_count(), C, factor * damping);
  }
}

void KktAssembler::add_mass_gradient(const Configuration& q, const Vector& w, double weight,
                                     const Chart& chart) {
  const auto roles = system_->model().inertias();
  for (std::size_t e = 0; e < roles.size(); ++e) {
    const auto& [element, role] = roles[e];
    if (role->has_constant_mass()) continue;
    const std::size_t n = element->dof_count();
    const std::span<double> K(local_.data(), n * n);
    const std::span<double> local_w(other_.data(), n);
    std::fill(K.begin(), K.end(), 0.0);
    gather(*element, w, local_w);
    role->mass_gradient(q, local_w, K);
    if (!chart.is_trivial(*element)) chart.apply(*element, element->dof_count(), K);
    scatter_square(inertias_[e], element->dof_count(), K, weight);
  }
}

void KktAssembler::add_constraint_geometric_stiffness(const Configuration& q, double t, const Vector& mu,
                                                      double weight, const Chart& chart) {
  const auto blocks = system_->constraints();
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    const auto& block = blocks[e];
    const std::size_t n = block.dofs;
    const std::span<double> K(local_.data(), n * n);
    std::fill(K.begin(), K.end(), 0.0);
    block.role->geometric_stiffness(q, t, std::span(mu.data() + block.first_row, block.rows), K);
    if (!chart.is_trivial(*block.element)) chart.apply(*block.element, block.dofs, K);
    scatter_square(constraints_[e], block.dofs, K, -weight);
  }
}

void KktAssembler::add_contact_geometric_stiffness(const Configuration& q, const Vector& p,
                                                   const Chart& chart) {
  const auto blocks = system_->contacts();
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    const auto& block = blocks[e];
    const std::span<const double> local_p(p.data() + block.first_row, block.rows);
    if (std::all_of(local_p.begin(), local_p.end(), [](double value) { return value == 0; })) continue;
    const std::size_t n = block.dofs;
    const std::span<double> K(local_.data(), n * n);
    std::fill(K.begin(), K.end(), 0.0);
    block.role->geometric_stiffness(q, local_p, K);
    if (!chart.is_trivial(*block.element)) chart.apply(*block.element, block.dofs, K);
    scatter_square(contacts_[e], block.dofs, K, -1.0);
  }
}

void KktAssembler::add_diagonal(const Vector& w) {
  const auto free_dofs = system_->free_dofs();
  for (std::size_t i = 0; i < free_dofs.size(); ++i) matrix_.values[diagonal_[i]] += w[free_dofs[i]];
}

void KktAssembler::add_constraint_columns(const Gradients& G, const Vector& k) {
  for (const RowScatter& s : rows_) {
    matrix_.values[s.column_target] -= k[s.row] * G.values[s.source];
  }
}

void KktAssembler::add_constraint_rows(const Gradients& G, const Vector& k) {
  for (const RowScatter& s : rows_) {
    matrix_.values[s.row_target] -= k[s.row] * G.values[s.source];
  }
}

void KktAssembler::add_constraint_rows(const Gradients& G, const Vector& k, const Chart& chart) {
  std::size_t next = 0;
  for (const auto& block : system_->constraints()) {
    const Index last_source = block.first_source + block.rows * block.dofs;
    const double* values = G.values.data() + block.first_source;
    if (!chart.is_trivial(*block.element)) {
      const std::span<double> local(local_.data(), block.rows * block.dofs);
      std::copy_n(values, local.size(), local.begin());
      chart.apply(*block.element, block.rows, local);
      values = local.data();
    }
    for (; next < rows_.size() && rows_[next].source < last_source; ++next) {
      const RowScatter& s = rows_[next];
      matrix_.values[s.row_target] -= k[s.row] * values[s.source - block.first_source];
    }
  }
}

void KktAssembler::add_constraint_rate_rows(const Gradients& G, const Motion& motion, const Vector& k,
                                            double weight, const Chart& chart) {
  std::size_t next = 0;
  for (const auto& block : system_->constraints()) {
    const Index last_source = block.first_source + block.rows * block.dofs;
    const std::span<double> H(local_.data(), block.rows * block.dofs);
    const std::span<double> v(other_.data(), block.dofs);
    std::fill(H.begin(), H.end(), 0.0);
    gather(*block.element, motion.v, v);
    block.role->rate_jacobian(motion.q, motion.t, v, H);
    if (!chart.is_trivial(*block.element)) chart.apply(*block.element, block.rows, H);
    for (; next < rows_.size() && rows_[next].source < last_source; ++next) {
      const RowScatter& s = rows_[next];
      const double value = G.values[s.source] + weight * H[s.source - block.first_source];
      matrix_.values[s.row_target] -= k[s.row] * value;
    }
  }
}

void KktAssembler::regularize(const Vector& epsilon) {
  const auto active_row = system_->active_row();
  for (Index row = 0; row < system_->row_count(); ++row) {
    const Index active = active_row[row];
    if (active >= 0) matrix_.values[diagonal_[free_count_ + active]] -= epsilon[row];
  }
}

void KktAssembler::add_contact(Index contact, const Gradients& columns, std::span<const double> k,
                               const Gradients& rows, std::span<const double> D, std::span<const double> E,
                               const Chart* chart) {
  const auto& block = system_->contacts()[contact];
  const ContactPlace& place = contact_places_[contact];
  const std::size_t m = block.rows;
  const std::size_t n = block.dofs;
  for (Index e = place.first_column_entry; e < place.last_column_entry; ++e) {
    const RowScatter& s = contact_columns_[e];
    matrix_.values[s.column_target] -= k[s.row - block.first_row] * columns.values[s.source];
  }
  for (std::size_t i = 0; i < m * m; ++i) {
    matrix_.values[contact_blocks_[place.first_block_target + i]] += E[i];
  }
  if (std::all_of(D.begin(), D.end(), [](double value) { return value == 0; })) return;

  const double* gradient = rows.values.data() + block.first_source;
  if (chart != nullptr && !chart->is_trivial(*block.element)) {
    const std::span<double> local(local_.data(), m * n);
    std::copy_n(gradient, local.size(), local.begin());
    chart->apply(*block.element, block.rows, local);
    gradient = local.data();
  }
  const Index* target = contact_rows_.data() + place.first_row_target;
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < m; ++r, ++target) {
      if (*target < 0) continue;
      double value = 0;
      for (std::size_t j = 0; j < m; ++j) value += D[j * m + r] * gradient[c * m + j];
      matrix_.values[*target] += value;
    }
  }
}

}  // namespace picus
