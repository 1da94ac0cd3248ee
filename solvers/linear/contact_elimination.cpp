#include <picus/solvers/linear/contact_elimination.hpp>

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace picus::solvers {
namespace {

/// Pivots below this fraction of the largest count as zero in the choice of components: each multiplier must act on its
/// components.
constexpr double least_pivot = 1e-6;

/// The same for the inversion of blocks; the regularisation of redundant contacts is 1e-8.
constexpr double singular = 1e-13;

/// Smallest number of copied rows for which a further thread pays off.
constexpr std::size_t copied_rows_grain = 512;

/// Calls visit(component, value) for each component on which a multiplier acts.
template <class Visit>
void visit_column(const SparseMatrix& matrix, Index components, Index multiplier, Visit&& visit) {
  const std::size_t column = multiplier;
  for (Index k = matrix.column_start[column]; k < matrix.column_start[column + 1]; ++k) {
    const std::size_t place = k;
    if (matrix.row[place] < components) visit(matrix.row[place], matrix.values[place]);
  }
}

/// The multipliers of each contact: a diagonal block of E. Empty if E is not block diagonal.
std::vector<std::vector<Index>> find_contacts(const SparseMatrix& matrix, Index first_multiplier) {
  std::vector<std::vector<Index>> contacts;
  const auto last_row = [&](Index column) { return matrix.row[matrix.column_start[column + 1] - 1]; };
  const auto first_row = [&](Index column) {
    const auto start = matrix.row.begin();
    return *std::lower_bound(start + matrix.column_start[column], start + matrix.column_start[column + 1],
                             first_multiplier);
  };
  for (Index first = first_multiplier; first < matrix.size;) {
    const Index last = last_row(first);
    contacts.emplace_back();
    for (Index column = first; column <= last; ++column) {
      if (last_row(column) != last || first_row(column) != first) return {};
      contacts.back().push_back(column);
    }
    first = last + 1;
  }
  return contacts;
}

void sort_out_duplicates(std::vector<Index>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The entries of B in the given rows (components) and columns (multipliers).
Eigen::MatrixXd gather(const SparseMatrix& matrix, const std::vector<Index>& components,
                       const std::vector<Index>& multipliers) {
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(count_of(components), count_of(multipliers));
  for (std::size_t c = 0; c < multipliers.size(); ++c) {
    for (std::size_t r = 0; r < components.size(); ++r) {
      const Index place = matrix.find(components[r], multipliers[c]);
      if (place >= 0) B(r, c) = matrix.values[place];
    }
  }
  return B;
}

/// Independent rows of B, chosen by pivoting.
std::vector<Index> independent_rows(const Eigen::MatrixXd& B) {
  std::vector<Index> rows;
  if (B.size() == 0) return rows;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(B);
  lu.setThreshold(least_pivot);
  for (Index r = 0; r < B.rows(); ++r) {
    if (lu.permutationP().indices()[r] < lu.rank()) rows.push_back(r);
  }
  return rows;
}

}  // namespace

bool ContactElimination::prepare(const SparseMatrix& matrix, Index contact_rows, PatternPool* patterns) {
  size_ = matrix.size - contact_rows;
  if (!list_groups(matrix)) return false;
  list_places(matrix);
  choose_listed_rows(matrix);
  list_rows(matrix);
  build_pattern(matrix);
  if (patterns != nullptr) patterns->share(reduced_);
  list_targets();
  list_contact_rows();
  return true;
}

void ContactElimination::list_contact_rows() {
  contact_rows_.clear();
  for (const Group& group : groups_)
    contact_rows_.insert(contact_rows_.end(), group.own.begin(), group.own.end());
  for (const AffectedRow& affected : affected_rows_) contact_rows_.push_back(affected.row);
  sort_out_duplicates(contact_rows_);
}

bool ContactElimination::list_groups(const SparseMatrix& matrix) {
  const auto contacts = find_contacts(matrix, size_);
  if (contacts.empty() && size_ < matrix.size) return false;
  std::vector<std::vector<Index>> touching(size_);  // contacts of each component
  std::vector<std::vector<Index>> components(contacts.size());
  for (Index i = 0; i < count_of(contacts); ++i) {
    for (const Index multiplier : contacts[i])
      visit_column(matrix, size_, multiplier,
                   [&](Index component, double) { components[i].push_back(component); });
    sort_out_duplicates(components[i]);
    for (const Index component : components[i]) touching[component].push_back(i);
  }
  // A contact whose own components do not suffice forms a group with those that share components with it.
  std::vector<Index> leader(contacts.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find_leader = [&](Index i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (Index i = 0; i < count_of(contacts); ++i) {
    std::vector<Index> own;
    for (const Index component : components[i]) {
      if (touching[component].size() == 1) own.push_back(component);
    }
    const std::size_t own_rank = independent_rows(gather(matrix, own, contacts[i])).size();
    if (own_rank == independent_rows(gather(matrix, components[i], contacts[i])).size()) continue;
    for (const Index component : components[i]) {
      for (const Index other : touching[component]) leader[find_leader(other)] = find_leader(i);
    }
  }
  groups_.clear();
  std::vector<Index> number(contacts.size(), -1);
  for (Index i = 0; i < count_of(contacts); ++i) {
    Index& group = number[find_leader(i)];
    if (group < 0) {
      group = count_of(groups_);
      groups_.emplace_back();
    }
    auto& multipliers = groups_[group].multipliers;
    multipliers.insert(multipliers.end(), contacts[i].begin(), contacts[i].end());
    if (multipliers.size() > max_multipliers) return false;
  }
  constexpr Index shared = -2;
  std::vector<Index> group_of_component(size_, -1);
  for (Index component = 0; component < size_; ++component) {
    for (const Index contact : touching[component]) {
      const Index group = number[find_leader(contact)];
      Index& owner = group_of_component[component];
      owner = owner == -1 || owner == group ? group : shared;
    }
  }
  group_of_.assign(size_, -1);
  for (Index g = 0; g < count_of(groups_); ++g) {
    if (!choose_components(matrix, groups_[g], g, group_of_component)) return false;
  }
  return true;
}

bool ContactElimination::choose_components(const SparseMatrix& matrix, Group& group, Index number,
                                           const std::vector<Index>& group_of_component) {
  std::vector<Index> all, own;
  for (const Index multiplier : group.multipliers)
    visit_column(matrix, size_, multiplier, [&](Index component, double) { all.push_back(component); });
  sort_out_duplicates(all);
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](Index component) { return group_of_component[component] == number; });
  const std::vector<Index> chosen = independent_rows(gather(matrix, own, group.multipliers));
  if (chosen.empty() || chosen.size() < independent_rows(gather(matrix, all, group.multipliers)).size())
    return false;
  for (const Index row : chosen) {
    group.own.push_back(own[row]);
    group_of_[own[row]] = number;
  }
  return true;
}

void ContactElimination::choose_listed_rows(const SparseMatrix& matrix) {
  is_listed_.assign(matrix.size, 0);
  for (const Group& group : groups_) {
    for (Index i = 0; i < group.equations(); ++i) is_listed_[group.equation(i)] = 1;
  }
  for (const AffectedRow& affected : affected_rows_) is_listed_[affected.row] = 1;
  copied_rows_.clear();
  for (Index row = 0; row < size_; ++row) {
    if (matrix.find(row, row) < 0) is_listed_[row] = 1;  // the reduced row has one entry more
    if (is_listed_[row] != 0 && group_of_[row] < 0) copied_rows_.push_back(row);
  }
}

void ContactElimination::list_rows(const SparseMatrix& matrix) {
  std::vector<Index> next(matrix.size + 1, 0);
  const Index entries = matrix.column_start[size_];
  for (Index k = 0; k < entries; ++k) {
    if (is_listed_[matrix.row[k]] != 0) ++next[matrix.row[k] + 1];
  }
  for (Index r = 0; r < matrix.size; ++r) next[r + 1] += next[r];
  rows_.clear();
  for (Index r = 0; r < matrix.size; ++r) rows_.push_back({next[r], next[r + 1]});
  columns_.resize(next.back());
  places_.resize(next.back());
  for (Index c = 0; c < size_; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      if (is_listed_[matrix.row[k]] == 0) continue;
      const Index to = next[matrix.row[k]]++;
      columns_[to] = c;
      places_[to] = k;
    }
  }
}

void ContactElimination::list_places(const SparseMatrix& matrix) {
  affected_rows_.clear();
  for (Index g = 0; g < count_of(groups_); ++g) {
    Group& group = groups_[g];
    std::vector<Index> others;
    for (const Index multiplier : group.multipliers) {
      for (Index i = 0; i < group.equations(); ++i)
        group.place.push_back(matrix.find(group.equation(i), multiplier));
      visit_column(matrix, size_, multiplier, [&](Index component, double) {
        if (group_of_[component] != g) others.push_back(component);
      });
    }
    for (const Index own : group.own) group.own_diagonal.push_back(matrix.find(own, own));
    sort_out_duplicates(others);
    for (const Index row : others) {
      AffectedRow affected{.row = row, .group = g, .place = {}, .first_target = 0, .f = {}};
      for (const Index multiplier : group.multipliers) affected.place.push_back(matrix.find(row, multiplier));
      affected_rows_.push_back(affected);
    }
  }
}

void ContactElimination::build_pattern(const SparseMatrix& matrix) {
  PatternBuilder builder(size_);  // its columns are the rows of the reduced matrix
  for (Index c = 0; c < size_; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      if (is_listed_[matrix.row[k]] == 0) builder.add(c, matrix.row[k]);
    }
  }
  const auto add = [&](Index target, Index source) {
    for (Index k = rows_[source].first; k < rows_[source].last; ++k) builder.add(columns_[k], target);
  };
  const auto add_group = [&](Index target, const Group& group) {
    for (Index i = 0; i < group.equations(); ++i) add(target, group.equation(i));
    for (const Index own : group.own) builder.add(own, target);
  };
  for (const Index row : copied_rows_) {
    builder.add(row, row);
    add(row, row);
  }
  for (const Group& group : groups_) {
    for (const Index own : group.own) add_group(own, group);
  }
  for (const AffectedRow& affected : affected_rows_) add_group(affected.row, groups_[affected.group]);
  reduced_ = builder.compress();
  next_.resize(size_);
  diagonal_.clear();
  for (Index row = 0; row < size_; ++row) diagonal_.push_back(reduced_.find(row, row));
}

void ContactElimination::list_targets() {
  targets_.clear();
  const auto list = [&](const Group& group, Index target, Index offset) {
    for (Index i = 0; i < group.equations(); ++i) {
      const Entries& source = rows_[group.equation(i)];
      for (Index k = source.first; k < source.last; ++k)
        targets_.push_back(reduced_.find(columns_[k], target) - offset);
    }
  };
  Index coupling_count = 0;
  Index widest = 0;
  for (Group& group : groups_) {
    group.first_target = count_of(targets_);
    group.first_coupling = coupling_count;
    const Index row = group.own[0];
    const Index offset = reduced_.column_start[row];
    widest = std::max(widest, reduced_.column_start[row + 1] - offset);
    list(group, row, offset);
    coupling_count += count_of(targets_) - group.first_target;
    for (const Index own : group.own) group.own_column.push_back(reduced_.find(own, row) - offset);
  }
  couplings_.resize(coupling_count);
  work_.resize(max_equations, widest);
  for (AffectedRow& affected : affected_rows_) {
    affected.first_target = count_of(targets_);
    list(groups_[affected.group], affected.row, 0);
  }
}

/// Copies the rows [first, last) that are not listed, which the reduced matrix has unchanged.
void ContactElimination::transpose_rows(const SparseMatrix& matrix, Index first, Index last) {
  std::copy(reduced_.column_start.begin() + first, reduced_.column_start.begin() + last,
            next_.begin() + first);
  for (Index c = 0; c < size_; ++c) {
    const Index* entry = matrix.row.begin() + matrix.column_start[c];
    const Index* const end = matrix.row.begin() + matrix.column_start[c + 1];
    if (first > 0) entry = std::lower_bound(entry, end, first);
    const double* value = matrix.values.data() + index_of(matrix.row, entry);
    for (; entry != end && *entry < last; ++entry, ++value) {
      if (is_listed_[*entry] == 0) reduced_.values[next_[*entry]++] = *value;
    }
  }
}

void ContactElimination::copy_listed_row(const SparseMatrix& matrix, Index row) {
  const auto [first, last] = rows_[row];
  Index target = reduced_.column_start[row];
  std::fill(reduced_.values.begin() + target, reduced_.values.begin() + reduced_.column_start[row + 1], 0.0);
  for (Index k = first; k < last; ++k, ++target) {
    while (reduced_.row[target] != columns_[k]) ++target;
    reduced_.values[target] = matrix.values[places_[k]];
  }
}

bool ContactElimination::reduce(const SparseMatrix& matrix, const Threads* threads) {
  for_parts(threads, size_, copied_rows_grain, [&](std::size_t first, std::size_t last) {
    transpose_rows(matrix, static_cast<Index>(first), static_cast<Index>(last));
  });
  return reduce_contacts(matrix);
}

bool ContactElimination::reduce_contacts(const SparseMatrix& matrix) {
  for (const Index row : copied_rows_) copy_listed_row(matrix, row);
  return reduce_groups(matrix);
}

bool ContactElimination::reduce_groups(const SparseMatrix& matrix) {
  for (Group& group : groups_) {
    if (!reduce_group(matrix, group)) return false;
  }
  for (AffectedRow& affected : affected_rows_) reduce_affected_row(matrix, affected);
  return true;
}

bool ContactElimination::reduce_group(const SparseMatrix& matrix, Group& group) {
  const auto s = count_of(group.own);
  const auto m = count_of(group.multipliers);
  const Index n = s + m;
  Block<max_equations, max_multipliers> BE(n, m);
  for (std::size_t i = 0; i < group.place.size(); ++i) {
    BE.data()[i] = group.place[i] < 0 ? 0.0 : matrix.values[group.place[i]];
  }
  // With column pivoting, and the larger rows B_s first, the factorisation is stable for rows of very different
  // magnitude.
  const Eigen::ColPivHouseholderQR<Block<max_equations, max_multipliers>> qr(BE);
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
  if (!(diagonal.minCoeff() > singular * diagonal.maxCoeff())) return false;
  const Block<max_equations, max_equations> Q = qr.householderQ();
  group.solution = Q.leftCols(m).transpose();
  qr.matrixQR().topRows(m).template triangularView<Eigen::Upper>().solveInPlace(group.solution);
  group.solution = qr.colsPermutation() * group.solution;

  const Index first = reduced_.column_start[group.own[0]];
  const Index width = reduced_.column_start[group.own[0] + 1] - first;
  auto rest = work_.topLeftCorner(s, width);  // Q_2^T [S_s; C]
  rest.setZero();
  const Index* target = targets_.data() + group.first_target;
  double* coupling = couplings_.data() + group.first_coupling;
  for (Index i = 0; i < n; ++i) {
    const Entries& row = rows_[group.equation(i)];
    for (Index k = row.first; k < row.last; ++k, ++target, ++coupling) {
      *coupling = matrix.values[places_[k]];
      for (Index j = 0; j < s; ++j) rest(j, *target) += Q(i, m + j) * *coupling;
    }
  }
  Block<max_multipliers, max_multipliers> block(s, s);
  for (Index i = 0; i < s; ++i) block.col(i) = rest.col(group.own_column[i]);
  const Eigen::FullPivLU<Block<max_multipliers, max_multipliers>> lu(block);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > singular * pivots.maxCoeff())) return false;
  Block<max_multipliers, max_multipliers> F = lu.inverse();
  for (Index i = 0; i < s; ++i) F.row(i) *= matrix.values[group.own_diagonal[i]];
  group.rest.noalias() = F * Q.rightCols(s).transpose();
  for (Index i = 0; i < s; ++i) {
    Eigen::Map<Eigen::RowVectorXd> row(reduced_.values.data() + reduced_.column_start[group.own[i]], width);
    row = F(i, 0) * rest.row(0);
    for (Index j = 1; j < s; ++j) row += F(i, j) * rest.row(j);
  }
  return true;
}

void ContactElimination::reduce_affected_row(const SparseMatrix& matrix, AffectedRow& affected) {
  const Group& group = groups_[affected.group];
  affected.f.setZero(group.equations());
  for (std::size_t i = 0; i < affected.place.size(); ++i) {
    if (affected.place[i] < 0) continue;
    affected.f += matrix.values[affected.place[i]] * group.solution.row(i);
  }
  const Index* target = targets_.data() + affected.first_target;
  const double* coupling = couplings_.data() + group.first_coupling;
  for (Index i = 0; i < group.equations(); ++i) {
    const Entries& row = rows_[group.equation(i)];
    for (Index k = row.first; k < row.last; ++k) reduced_.values[*target++] -= affected.f[i] * *coupling++;
  }
}

void ContactElimination::condense(std::span<double> b) {
  for (Group& group : groups_) {
    group.right_side.resize(group.equations());
    for (Index i = 0; i < group.equations(); ++i) group.right_side[i] = b[group.equation(i)];
  }
  for (const AffectedRow& affected : affected_rows_)
    b[affected.row] -= affected.f * groups_[affected.group].right_side;
  for (const Group& group : groups_) {
    for (Index i = 0; i < group.rest.rows(); ++i) b[group.own[i]] = group.rest.row(i) * group.right_side;
  }
}

void ContactElimination::expand(std::span<double> b) const {
  for (const Group& group : groups_) {
    Column rest = group.right_side;  // [r_s; c] - [S_s; C] u
    const double* coupling = couplings_.data() + group.first_coupling;
    for (Index i = 0; i < group.equations(); ++i) {
      const Entries& row = rows_[group.equation(i)];
      for (Index k = row.first; k < row.last; ++k) rest[i] -= *coupling++ * b[columns_[k]];
    }
    for (Index i = 0; i < group.solution.rows(); ++i) b[group.multipliers[i]] = group.solution.row(i) * rest;
  }
}

}  // namespace picus::solvers
