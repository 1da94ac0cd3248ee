#include <picus/solvers/subproblems/condensation_pattern.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace picus::solvers {

bool CondensationPattern::update(const ContactProblem& problem, const SparseMatrix& matrix) {
  list_multipliers(problem);
  if (is_found_ && is_known(problem, matrix)) return true;
  ++version_;
  note(problem, matrix);
  find_roles(problem, matrix.size);
  find_parts(matrix);
  is_found_ = number_parts(matrix);
  if (!is_found_) return false;
  list_links(matrix);
  find_places(matrix);
  return true;
}

void CondensationPattern::list_multipliers(const ContactProblem& problem) {
  new_kinds_.clear();
  new_unknowns_.resize(problem.contact_multipliers().size());
  for (const ContactCone& cone : problem.cones()) {
    new_kinds_.push_back({cone.rows, cone.is_candidate});
    for (Index row = cone.first_row; row < cone.first_row + cone.rows; ++row)
      new_unknowns_[row] = problem.contact_unknown(row);
  }
}

bool CondensationPattern::is_known(const ContactProblem& problem, const SparseMatrix& matrix) const {
  if (new_kinds_ != kinds_ || new_unknowns_ != unknown_of_row_ || matrix.column_start != column_start_ ||
      matrix.row != row_ || !std::ranges::equal(problem.node_starts(), node_starts_))
    return false;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if ((matrix.values[links_[i]] != 0) != (are_coupled_[i] != 0)) return false;
  }
  return true;
}

void CondensationPattern::note(const ContactProblem& problem, const SparseMatrix& matrix) {
  std::swap(kinds_, new_kinds_);
  std::swap(unknown_of_row_, new_unknowns_);
  column_start_ = matrix.column_start;
  row_ = matrix.row;
  node_starts_.assign(problem.node_starts().begin(), problem.node_starts().end());
}

void CondensationPattern::find_roles(const ContactProblem& problem, Index size) {
  roles_.assign(size, {});
  rows_.clear();
  for (const ContactCone& cone : problem.cones()) {
    for (Index i = 0; i < cone.rows; ++i) {
      roles_[unknown_of_row_[cone.first_row + i]] = {
          .owner = cone.is_candidate ? count_of(rows_) : -1, .place = i, .is_multiplier = true};
    }
    if (cone.is_candidate) rows_.push_back(cone.rows);
  }
}

/// Calls visit(k, r, c) for the entries (r, c), with index k among the values, that no multiplier of a contact has.
template <class Visit>
void CondensationPattern::for_links(const SparseMatrix& matrix, const Visit& visit) const {
  for (Index c = 0; c < matrix.size; ++c) {
    if (roles_[c].is_multiplier) continue;
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      if (!roles_[matrix.row[k]].is_multiplier) visit(k, matrix.row[k], c);
    }
  }
}

void CondensationPattern::find_parts(const SparseMatrix& matrix) {
  sets_.reset(matrix.size);
  // Components of one node form one part, coupled or not: a further part costs more than some zeros in an
  // inverse.
  for (std::size_t node = 0; node + 1 < node_starts_.size(); ++node) {
    for (Index i = node_starts_[node] + 1; i < node_starts_[node + 1]; ++i) sets_.join(node_starts_[node], i);
  }
  for_links(matrix, [&](Index k, Index r, Index c) {
    if (matrix.values[k] != 0) sets_.join(r, c);
  });
}

void CondensationPattern::list_links(const SparseMatrix& matrix) {
  std::vector<Index> first_of_node(matrix.size);  // the first unknown of the node; without a node itself
  std::iota(first_of_node.begin(), first_of_node.end(), 0);
  for (std::size_t node = 0; node + 1 < node_starts_.size(); ++node) {
    for (Index i = node_starts_[node]; i < node_starts_[node + 1]; ++i) first_of_node[i] = node_starts_[node];
  }
  links_.clear();
  are_coupled_.clear();
  for_links(matrix, [&](Index k, Index r, Index c) {
    if (first_of_node[r] == first_of_node[c]) return;
    links_.push_back(k);
    are_coupled_.push_back(matrix.values[k] != 0);
  });
}

bool CondensationPattern::number_parts(const SparseMatrix& matrix) {
  parts_.clear();
  for (Index i = 0; i < matrix.size; ++i) {
    if (roles_[i].is_multiplier) continue;
    const Index root = sets_.find(i);
    if (root == i) {
      roles_[i].owner = count_of(parts_);
      parts_.push_back({.first = 0, .size = 0, .inverse = 0});
    }
    Role& role = roles_[i];
    role.owner = roles_[root].owner;
    role.place = parts_[role.owner].size++;
  }
  Index first = 0;
  inverse_values_ = 0;
  for (Part& part : parts_) {
    if (part.size > largest_part) return false;
    part.first = first;
    part.inverse = inverse_values_;
    first += part.size;
    inverse_values_ += part.size * part.size;
  }
  unknowns_.resize(first);
  for (Index i = 0; i < matrix.size; ++i) {
    if (!roles_[i].is_multiplier) unknowns_[parts_[roles_[i].owner].first + roles_[i].place] = i;
  }
  return true;
}

const CondensationPattern::PartContact& CondensationPattern::part_contact_of(Index contact, Index part) {
  for (Index t = last_part_contact_[contact]; t >= 0; t = part_contacts_[t].before_in_contact) {
    if (part_contacts_[t].part == part) return part_contacts_[t];
  }
  Part& owner = parts_[part];
  part_contacts_.push_back({.contact = contact,
                            .part = part,
                            .first = contact_values_,
                            .before_in_contact = last_part_contact_[contact],
                            .before_in_part = owner.last_part_contact});
  last_part_contact_[contact] = owner.last_part_contact = count_of(part_contacts_) - 1;
  contact_values_ += 3 * owner.size * rows_[contact];
  return part_contacts_.back();
}

void CondensationPattern::find_places(const SparseMatrix& matrix) {
  part_contacts_.clear();
  last_part_contact_.assign(rows_.size(), -1);
  contact_values_ = 0;
  inverse_places_.clear();
  contact_places_.clear();
  for (Index c = 0; c < matrix.size; ++c) {
    const Role& column = roles_[c];
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Role& row = roles_[matrix.row[k]];
      if (!row.is_multiplier && !column.is_multiplier) {
        if (row.owner != column.owner) continue;
        const Part& part = parts_[row.owner];
        inverse_places_.push_back({k, part.inverse + column.place * part.size + row.place});
        continue;
      }
      if (row.is_multiplier && column.is_multiplier) continue;
      const Role& contact = row.is_multiplier ? row : column;
      const Role& unknown = row.is_multiplier ? column : row;
      if (contact.owner < 0) continue;
      const PartContact& part_contact = part_contact_of(contact.owner, unknown.owner);
      const Index size = parts_[unknown.owner].size;
      const Index rows = rows_[contact.owner];
      const Index value = row.is_multiplier ? 2 * size * rows + unknown.place * rows + contact.place
                                            : contact.place * size + unknown.place;
      contact_places_.push_back({{k, part_contact.first + value}, contact.owner, row.is_multiplier});
    }
  }
}

}  // namespace picus::solvers
