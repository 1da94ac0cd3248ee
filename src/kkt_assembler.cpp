#include <picus/kkt_assembler.hpp>
#include <picus/local_dofs.hpp>

#include <algorithm>

namespace picus {

namespace {

/// Smallest number of values for which a further thread pays off.
constexpr std::size_t value_grain = 1 << 15;

}  // namespace

void KktAssembler::begin() {
  for_parts(system_->threads(), matrix_.values.size(), value_grain, [&](std::size_t first, std::size_t last) {
    std::fill(matrix_.values.data() + first, matrix_.values.data() + last, 0.0);
  });
}

void KktAssembler::begin(const MassMatrix& mass) {
  begin();
  const std::vector<double>& values = mass.matrix().values;
  for_parts(system_->threads(), values.size(), value_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (mass_targets_[i] >= 0) matrix_.values[mass_targets_[i]] = values[i];
    }
  });
}

void KktAssembler::scatter_square(const Square& square, Index first, Index last, const double* local,
                                  double weight) {
  const std::span<const Run> runs(runs_.data() + square.first_run, runs_.data() + square.last_run);
  const Index dofs = square.element->dof_count();
  const Index* target = square_targets_.data() + square.first_target + first * count_of(runs);
  Index before = 0;  // number of columns of the previous runs
  for (const Run& columns : runs) {
    const Index end = std::min(last - before, columns.count);
    for (Index c = std::max(first - before, 0); c < end; ++c) {
      const double* column = local + (columns.local + c) * dofs;
      for (const Run& run : runs) {
        double* values = matrix_.values.data() + *target++;
        for (Index i = 0; i < run.count; ++i) values[i] += weight * column[run.local + i];
      }
    }
    before += columns.count;
  }
}

template <class Evaluate>
void KktAssembler::add_squares(const Squares& squares, const ElementLoop& loop, const Evaluate& evaluate) {
  if (loop.threads() != nullptr) return add_squares_together(squares, loop, evaluate);
  for (std::size_t e = 0; e < squares.of.size(); ++e) {
    const Parts parts = evaluate(e, local_.data(), other_.data());
    const Square& square = squares.of[e];
    if (parts.has_K) scatter_square(square, 0, square.columns, local_.data(), parts.K);
    if (parts.has_C) scatter_square(square, 0, square.columns, other_.data(), parts.C);
  }
}

/// Elements are evaluated in batches that fit into the cache; then their contributions are summed, each share of the
/// columns by one thread.
template <class Evaluate>
void KktAssembler::add_squares_together(const Squares& squares, const ElementLoop& loop,
                                        const Evaluate& evaluate) {
  constexpr std::size_t batch_entries = 1 << 17;
  constexpr std::size_t least_batch = 16;
  const auto entries_of = [&](std::size_t e) {
    const std::size_t n = squares.of[e].element->dof_count();
    return 2 * n * n;
  };
  for (std::size_t first = 0; first < squares.of.size();) {
    std::size_t last = first;
    std::size_t entries = 0;
    batch_places_.clear();
    for (; last < squares.of.size(); ++last) {
      if (last - first >= least_batch && entries + entries_of(last) > batch_entries) break;
      batch_places_.push_back(entries);
      entries += entries_of(last);
    }
    if (batch_.size() < entries) batch_.resize(entries);
    batch_parts_.assign(last - first, {});
    loop.for_each(first, last, [&](std::size_t e) {
      double* const K = batch_.data() + batch_places_[e - first];
      batch_parts_[e - first] = evaluate(e, K, K + entries_of(e) / 2);
    });
    loop.threads()->for_parts(squares.shares.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t share = begin; share < end; ++share) {
        const std::vector<Columns>& columns = squares.shares[share];
        auto at = std::ranges::lower_bound(columns, static_cast<Index>(first), {}, &Columns::square);
        for (; at != columns.end() && at->square < static_cast<Index>(last); ++at) {
          const std::size_t e = at->square;
          const Parts& parts = batch_parts_[e - first];
          const double* const K = batch_.data() + batch_places_[e - first];
          if (parts.has_K) scatter_square(squares.of[e], at->first, at->last, K, parts.K);
          if (parts.has_C) scatter_square(squares.of[e], at->first, at->last, K + entries_of(e) / 2, parts.C);
        }
      }
    });
    first = last;
  }
}

void KktAssembler::add_force_tangents(const Motion& motion, double stiffness, double damping,
                                      const Chart& chart, double load_factor) {
  const auto roles = system_->model().forces();
  add_squares(forces_, system_->force_loop(), [&](std::size_t e, double* K, double* C) -> Parts {
    const auto& [element, role] = roles[e];
    const Force::Traits traits = role->traits();
    const bool needs_K = traits.depends_on_configuration && stiffness != 0;
    const bool needs_C = traits.depends_on_velocity && damping != 0;
    if (!needs_K && !needs_C) return {};
    const std::size_t n = element->dof_count();
    std::fill_n(K, n * n, 0.0);
    std::fill_n(C, n * n, 0.0);
    role->tangents(motion, {K, n * n}, {C, n * n});
    const double factor = traits.is_load ? load_factor : 1.0;
    if (needs_K && !chart.is_trivial(*element)) chart.apply(*element, element->dof_count(), {K, n * n});
    return {.K = factor * stiffness, .C = factor * damping, .has_K = needs_K, .has_C = needs_C};
  });
}

void KktAssembler::add_mass_gradient(const Configuration& q, const Vector& w, double weight,
                                     const Chart& chart) {
  const auto roles = system_->model().inertias();
  add_squares(inertias_, system_->inertia_loop(), [&](std::size_t e, double* K, double* local_w) -> Parts {
    const auto& [element, role] = roles[e];
    if (role->has_constant_mass()) return {};
    const std::size_t n = element->dof_count();
    std::fill_n(K, n * n, 0.0);
    gather(*element, w, {local_w, n});
    role->mass_gradient(q, {local_w, n}, {K, n * n});
    if (!chart.is_trivial(*element)) chart.apply(*element, element->dof_count(), {K, n * n});
    return {.K = weight, .has_K = true};
  });
}

void KktAssembler::add_constraint_geometric_stiffness(const Configuration& q, double t, const Vector& mu,
                                                      double weight, const Chart& chart) {
  const auto blocks = system_->constraints();
  add_squares(constraints_, system_->constraint_loop(), [&](std::size_t e, double* K, double*) -> Parts {
    const auto& block = blocks[e];
    const std::size_t n = block.dofs;
    std::fill_n(K, n * n, 0.0);
    block.role->geometric_stiffness(q, t, std::span(mu.data() + block.first_row, block.rows), {K, n * n});
    if (!chart.is_trivial(*block.element)) chart.apply(*block.element, block.dofs, {K, n * n});
    return {.K = -weight, .has_K = true};
  });
}

void KktAssembler::add_contact_geometric_stiffness(const Configuration& q, const Vector& p,
                                                   const Chart& chart) {
  const auto blocks = system_->contacts();
  add_squares(contacts_, system_->contact_loop(), [&](std::size_t e, double* K, double*) -> Parts {
    const auto& block = blocks[e];
    const std::span<const double> local_p(p.data() + block.first_row, block.rows);
    if (std::all_of(local_p.begin(), local_p.end(), [](double value) { return value == 0; })) return {};
    const std::size_t n = block.dofs;
    std::fill_n(K, n * n, 0.0);
    block.role->geometric_stiffness(q, local_p, {K, n * n});
    if (!chart.is_trivial(*block.element)) chart.apply(*block.element, block.dofs, {K, n * n});
    return {.K = -1.0, .has_K = true};
  });
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

void KktAssembler::clear_contacts() {
  std::fill(matrix_.values.begin() + matrix_.column_start[first_contact_unknown()], matrix_.values.end(),
            0.0);
  for (const Index target : contact_rows_) {
    if (target >= 0) matrix_.values[target] = 0.0;
  }
}

}  // namespace picus
