#include <picus/kkt_assembler.hpp>
#include <picus/local_dofs.hpp>

#include <algorithm>
#include <utility>

namespace picus {
namespace {

// Whether an element contributes to the square block of a matrix, apart from the constant mass matrix.
bool has_square(const Inertia& inertia) {
  return !inertia.has_constant_mass();
}
bool has_square(const Force& force) {
  const Force::Traits traits = force.traits();
  return traits.depends_on_configuration || traits.depends_on_velocity;
}
bool has_square(const BilateralConstraint& /*constraint*/) {
  return true;
}
bool has_square(const Contact& /*contact*/) {
  return true;
}

}  // namespace

KktAssembler::KktAssembler(const System& system, const MassMatrix& mass, Rows rows, PatternPool* patterns)
    : system_(&system) {
  free_count_ = count_of(system.free_dofs());
  bilateral_count_ = system.active_row_count();
  build_pattern(mass, rows, patterns);
  list_mass(mass);
  std::vector<Index> targets;
  inertias_.of = list_squares(system.model().inertias(), targets);
  forces_.of = list_squares(system.model().forces(), targets);
  constraints_.of = list_squares(system.model().constraints(), targets);
  list_rows();
  if (rows == Rows::bilateral_and_contacts) {
    std::vector<InRole<Contact>> contacts;
    for (const auto& block : system.contacts()) contacts.emplace_back(block.element, block.role);
    contacts_.of = list_squares(std::span<const InRole<Contact>>(contacts), targets);
    list_contacts();
  }
  targets.shrink_to_fit();
  square_targets_ = std::move(targets);
  if (patterns != nullptr) {
    patterns->share(mass_targets_);
    patterns->share(square_targets_);
  }
  runs_.shrink_to_fit();
  std::size_t largest = 0;
  for (const auto& element : system.model().elements())
    largest = std::max<std::size_t>(largest, element->dof_count());
  for (const auto& block : system.contacts()) largest = std::max<std::size_t>(largest, block.dofs);
  std::size_t rows_of_largest = 0;
  for (const auto& block : system.constraints())
    rows_of_largest = std::max<std::size_t>(rows_of_largest, block.rows);
  local_.resize(std::max(largest * largest, largest * std::max<std::size_t>(rows_of_largest, 3)));
  other_.resize(largest * largest);
  if (system.threads() != nullptr) share_columns();
}

void KktAssembler::find_runs(const Element& element, std::vector<Run>& runs) const {
  const auto free_index = system_->free_index();
  runs.clear();
  Index next = -1;  // the unknown that would continue the last run
  for_each_dof(element, [&](Index local, Index dof) {
    const Index unknown = free_index[dof];
    if (unknown >= 0 && unknown == next) {
      ++runs.back().count;
    } else if (unknown >= 0) {
      runs.push_back({local, unknown, 1});
    }
    next = unknown < 0 ? -1 : unknown + 1;
  });
}

void KktAssembler::build_pattern(const MassMatrix& mass, Rows rows, PatternPool* patterns) {
  const bool with_contacts = rows == Rows::bilateral_and_contacts;
  const auto free_index = system_->free_index();
  const auto active_row = system_->active_row();
  const Index contact_count = with_contacts ? system_->contact_row_count() : 0;
  PatternBuilder pattern(free_count_ + bilateral_count_ + contact_count);

  const SparseMatrix& M = mass.matrix();
  for (Index c = 0; c < M.size; ++c) {
    for (Index k = M.column_start[c]; k < M.column_start[c + 1]; ++k) {
      const Index row = free_index[M.row[k]];
      if (row >= 0 && free_index[c] >= 0) pattern.add(row, free_index[c]);
    }
  }
  std::vector<Run> runs;
  const auto add_square = [&](const Element& element) {
    find_runs(element, runs);
    for (const Run& columns : runs) {
      for (Index c = columns.unknown; c < columns.unknown + columns.count; ++c) {
        for (const Run& run : runs) pattern.add_run(run.unknown, run.count, c);
      }
    }
  };
  for (const auto& [element, role] : system_->model().inertias()) {
    if (has_square(*role)) add_square(*element);
  }
  for (const auto& [element, role] : system_->model().forces()) {
    if (has_square(*role)) add_square(*element);
  }
  for (const auto& block : system_->constraints()) add_square(*block.element);
  for (const GradientEntry& e : system_->constraint_pattern()) {
    const Index dof = free_index[e.dof];
    if (dof < 0) continue;
    pattern.add(free_count_ + active_row[e.row], dof);
    pattern.add(dof, free_count_ + active_row[e.row]);
  }
  for (Index i = 0; i < bilateral_count_; ++i) pattern.add(free_count_ + i, free_count_ + i);

  if (with_contacts) {
    for (const auto& block : system_->contacts()) {
      add_square(*block.element);
      const Index first = first_contact_unknown() + block.first_row;
      for (Index r = 0; r < block.rows; ++r) {
        for (Index c = 0; c < block.rows; ++c) pattern.add(first + r, first + c);
        for_each_dof(*block.element, [&](Index, Index dof) {
          if (free_index[dof] < 0) return;
          pattern.add(first + r, free_index[dof]);
          pattern.add(free_index[dof], first + r);
        });
      }
    }
  }
  matrix_ = pattern.compress();
  if (patterns != nullptr) patterns->share(matrix_);
  for (Index i = 0; i < matrix_.size; ++i) diagonal_.push_back(matrix_.find(i, i));
}

void KktAssembler::list_mass(const MassMatrix& mass) {
  const auto free_index = system_->free_index();
  const SparseMatrix& M = mass.matrix();
  std::vector<Index> targets(M.row.size(), -1);
  for (Index c = 0; c < M.size; ++c) {
    const Index column = free_index[c];
    if (column < 0) continue;
    Index target = matrix_.column_start[column];  // unknowns are in the order of components
    for (Index k = M.column_start[c]; k < M.column_start[c + 1]; ++k) {
      const Index row = free_index[M.row[k]];
      if (row < 0) continue;
      while (matrix_.row[target] != row) ++target;
      targets[k] = target;
    }
  }
  mass_targets_ = std::move(targets);
}

template <class R>
std::vector<KktAssembler::Square> KktAssembler::list_squares(std::span<const InRole<R>> roles,
                                                             std::vector<Index>& targets) {
  std::vector<Square> squares;
  squares.reserve(roles.size());
  std::vector<Run> runs;
  for (const auto& [element, role] : roles) {
    const Index first = count_of(runs_);
    const Index first_target = count_of(targets);
    Index columns_in_all = 0;
    if (has_square(*role)) {
      find_runs(*element, runs);
      for (const Run& columns : runs) {
        columns_in_all += columns.count;
        for (Index c = columns.unknown; c < columns.unknown + columns.count; ++c) {
          for (const Run& run : runs) targets.push_back(matrix_.find(run.unknown, c));
        }
      }
      runs_.insert(runs_.end(), runs.begin(), runs.end());
    }
    squares.push_back({element, first, count_of(runs_), first_target, columns_in_all});
  }
  return squares;
}

void KktAssembler::list_rows() {
  const auto free_index = system_->free_index();
  const auto active_row = system_->active_row();
  for (const GradientEntry& e : system_->constraint_pattern()) {
    const Index dof = free_index[e.dof];
    if (dof < 0) continue;
    const Index unknown = free_count_ + active_row[e.row];
    rows_.push_back({e.source, e.row, matrix_.find(unknown, dof), matrix_.find(dof, unknown)});
  }
}

void KktAssembler::list_contacts() {
  const auto free_index = system_->free_index();
  const auto entries = system_->contact_entries();
  std::size_t next = 0;
  for (const auto& block : system_->contacts()) {
    ContactPlace place{};
    place.first_unknown = first_contact_unknown() + block.first_row;
    const Index last_source = block.first_source + block.rows * block.dofs;
    place.first_column_entry = count_of(contact_columns_);
    for (; next < entries.size() && entries[next].source < last_source; ++next) {
      const GradientEntry& e = entries[next];
      const Index dof = free_index[e.dof];
      if (dof < 0) continue;
      const Index unknown = first_contact_unknown() + e.row;
      contact_columns_.push_back({e.source, e.row, matrix_.find(unknown, dof), matrix_.find(dof, unknown)});
    }
    place.last_column_entry = count_of(contact_columns_);
    place.first_row_target = count_of(contact_rows_);
    for_each_dof(*block.element, [&](Index, Index dof) {
      for (Index r = 0; r < block.rows; ++r) {
        const Index column = free_index[dof];
        contact_rows_.push_back(column < 0 ? -1 : matrix_.find(place.first_unknown + r, column));
      }
    });
    place.first_block_target = count_of(contact_blocks_);
    for (Index c = 0; c < block.rows; ++c) {
      for (Index r = 0; r < block.rows; ++r) {
        contact_blocks_.push_back(matrix_.find(place.first_unknown + r, place.first_unknown + c));
      }
    }
    contact_places_.push_back(place);
  }
}

}  // namespace picus
