#include <picus/solvers/linear/contact_elimination.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// Pivots of B_s, smallest over largest: what a contact takes for its own has to follow its multipliers well.
constexpr double least_pivot_ratio = 1e-3;

/// Of a diagonal block that is to be inverted.
constexpr double singular_ratio = 1e-12;

}  // namespace

bool ContactElimination::prepare(const SparseMatrix& matrix, Index contact_rows) {
  size_ = matrix.size - contact_rows;
  if (!list_contacts(matrix) || !choose_components(matrix)) return false;
  list_rows(matrix);
  list_touched(matrix);
  build_pattern();
  list_targets();
  return true;
}

/// Contacts are the diagonal blocks of E.
bool ContactElimination::list_contacts(const SparseMatrix& matrix) {
  contacts_.clear();
  for (Index first = size_; first < matrix.size;) {
    const Index end = matrix.row[at(matrix.column_start[at(first) + 1] - 1)] + 1;
    Contact contact;
    contact.first = first;
    contact.rows = end - first;
    if (contact.rows < 1 || contact.rows > most_rows) return false;
    for (Index c = 0; c < contact.rows; ++c) {
      if (matrix.row[at(matrix.column_start[at(first + c) + 1] - 1)] != end - 1) return false;
      for (Index r = 0; r < contact.rows; ++r) {
        const Index place = matrix.find(first + r, first + c);
        if (place < 0) return false;
        contact.E_place[at(c * contact.rows + r)] = place;
      }
    }
    contacts_.push_back(contact);
    first = end;
  }
  return true;
}

bool ContactElimination::choose_components(const SparseMatrix& matrix) {
  const auto visit_touched = [&](const Contact& contact, auto&& visit) {
    for (Index c = contact.first; c < contact.first + contact.rows; ++c) {
      for (Index k = matrix.column_start[at(c)]; k < matrix.column_start[at(c) + 1]; ++k) {
        if (matrix.row[at(k)] < size_) visit(matrix.row[at(k)], c - contact.first, matrix.values[at(k)]);
      }
    }
  };
  constexpr Index shared = -2;
  contact_of_.assign(at(size_), -1);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto number = static_cast<Index>(i);
    visit_touched(contacts_[i], [&](Index component, Index, double) {
      Index& owner = contact_of_[at(component)];
      owner = owner == -1 || owner == number ? number : shared;
    });
  }
  std::vector<bool> is_own(at(size_), false);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    std::vector<Index> candidates;
    visit_touched(contact, [&](Index component, Index, double) {
      if (contact_of_[at(component)] == static_cast<Index>(i)) candidates.push_back(component);
    });
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    if (static_cast<Index>(candidates.size()) < contact.rows) return false;
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(static_cast<Index>(candidates.size()), contact.rows);
    visit_touched(contact, [&](Index component, Index column, double value) {
      const auto found = std::lower_bound(candidates.begin(), candidates.end(), component);
      if (found != candidates.end() && *found == component) B(found - candidates.begin(), column) = value;
    });
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(B);
    const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > least_pivot_ratio * lu.maxPivot())) return false;
    Index taken = 0;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (lu.permutationP().indices()[static_cast<Index>(k)] >= contact.rows) continue;
      contact.own[at(taken++)] = candidates[k];
      is_own[at(candidates[k])] = true;
    }
  }
  for (Index i = 0; i < size_; ++i) {
    if (!is_own[at(i)]) contact_of_[at(i)] = -1;
  }
  return true;
}

void ContactElimination::list_rows(const SparseMatrix& matrix) {
  std::vector<Index> next(at(matrix.size) + 1, 0);
  const Index entries = matrix.column_start[at(size_)];
  for (Index k = 0; k < entries; ++k) ++next[at(matrix.row[at(k)]) + 1];
  for (Index r = 0; r < matrix.size; ++r) next[at(r) + 1] += next[at(r)];
  rows_.clear();
  for (Index r = 0; r < matrix.size; ++r) rows_.push_back({next[at(r)], next[at(r) + 1]});
  columns_.resize(at(entries));
  places_.resize(at(entries));
  for (Index c = 0; c < size_; ++c) {
    for (Index k = matrix.column_start[at(c)]; k < matrix.column_start[at(c) + 1]; ++k) {
      const Index to = next[at(matrix.row[at(k)])]++;
      columns_[at(to)] = c;
      places_[at(to)] = k;
    }
  }
}

void ContactElimination::list_touched(const SparseMatrix& matrix) {
  touched_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    const std::size_t first = touched_.size();
    for (Index c = 0; c < contact.rows; ++c) {
      const Index column = contact.first + c;
      for (Index r = 0; r < contact.rows; ++r)
        contact.B_place[at(c * contact.rows + r)] = matrix.find(contact.own[at(r)], column);
      for (Index k = matrix.column_start[at(column)]; k < matrix.column_start[at(column) + 1]; ++k) {
        const Index row = matrix.row[at(k)];
        if (row >= size_ || contact_of_[at(row)] == static_cast<Index>(i)) continue;
        auto found = std::find_if(touched_.begin() + static_cast<std::ptrdiff_t>(first), touched_.end(),
                                  [&](const Touched& touched) { return touched.row == row; });
        if (found == touched_.end()) {
          touched_.push_back({.row = row,
                              .contact = static_cast<Index>(i),
                              .B_place = {-1, -1, -1},
                              .first_target = 0,
                              .f = {}});
          found = touched_.end() - 1;
        }
        found->B_place[at(c)] = k;
      }
    }
  }
}

void ContactElimination::build_pattern() {
  PatternBuilder builder(size_);  // its columns are our rows
  const auto add = [&](Index target, Index source) {
    for (Index k = rows_[at(source)].first; k < rows_[at(source)].last; ++k)
      builder.add(columns_[at(k)], target);
  };
  for (Index row = 0; row < size_; ++row) {
    builder.add(row, row);
    if (contact_of_[at(row)] < 0) {
      add(row, row);
      continue;
    }
    const Contact& contact = contacts_[at(contact_of_[at(row)])];
    for (Index i = 0; i < contact.rows; ++i) {
      add(row, contact.own[at(i)]);
      add(row, contact.first + i);
      builder.add(contact.own[at(i)], row);
    }
  }
  for (const Touched& touched : touched_) {
    const Contact& contact = contacts_[at(touched.contact)];
    for (Index i = 0; i < contact.rows; ++i) add(touched.row, contact.own[at(i)]);
  }
  reduced_ = builder.compress();
  diagonal_.clear();
  for (Index row = 0; row < size_; ++row) diagonal_.push_back(reduced_.find(row, row));
}

void ContactElimination::list_targets() {
  targets_.clear();
  plain_target_.assign(columns_.size(), -1);
  for (Index row = 0; row < size_; ++row) {
    if (contact_of_[at(row)] >= 0) continue;
    for (Index k = rows_[at(row)].first; k < rows_[at(row)].last; ++k)
      plain_target_[at(k)] = reduced_.find(columns_[at(k)], row);
  }
  const auto list = [&](Index source, Index target, Index offset) {
    for (Index k = rows_[at(source)].first; k < rows_[at(source)].last; ++k)
      targets_.push_back(reduced_.find(columns_[at(k)], target) - offset);
  };
  Index kept = 0;
  Index widest = 0;
  for (Contact& contact : contacts_) {
    contact.first_target = static_cast<Index>(targets_.size());
    contact.first_kept = kept;
    const Index row = contact.own[0];
    const Index offset = reduced_.column_start[at(row)];
    widest = std::max(widest, reduced_.column_start[at(row) + 1] - offset);
    for (Index i = 0; i < contact.rows; ++i) {
      const Index own = contact.own[at(i)];
      list(own, row, offset);
      kept += rows_[at(own)].last - rows_[at(own)].first;
      contact.own_place[at(i)] = reduced_.find(own, row) - offset;
    }
    for (Index i = 0; i < contact.rows; ++i) list(contact.first + i, row, offset);
  }
  kept_.resize(at(kept));
  work_.resize(most_rows, widest);
  for (Touched& touched : touched_) {
    touched.first_target = static_cast<Index>(targets_.size());
    const Contact& contact = contacts_[at(touched.contact)];
    for (Index i = 0; i < contact.rows; ++i) list(contact.own[at(i)], touched.row, 0);
  }
}

bool ContactElimination::reduce(const SparseMatrix& matrix) {
  for (Index row = 0; row < size_; ++row) {
    if (contact_of_[at(row)] >= 0) continue;
    double* to = reduced_.values.data();
    if (!touched_.empty()) {
      std::fill(to + reduced_.column_start[at(row)], to + reduced_.column_start[at(row) + 1], 0.0);
    }
    for (Index k = rows_[at(row)].first; k < rows_[at(row)].last; ++k)
      to[plain_target_[at(k)]] = matrix.values[at(places_[at(k)])];
  }
  const bool is_regular = std::all_of(contacts_.begin(), contacts_.end(),
                                      [&](Contact& contact) { return reduce_contact(matrix, contact); });
  if (!is_regular) return false;
  for (Touched& touched : touched_) reduce_touched(matrix, touched);
  return true;
}

bool ContactElimination::reduce_contact(const SparseMatrix& matrix, Contact& contact) {
  const Index m = contact.rows;
  Block B(m, m), E(m, m), block(m, m);
  for (Index i = 0; i < m * m; ++i) {
    const Index place = contact.B_place[at(i)];
    B.data()[i] = place < 0 ? 0.0 : matrix.values[at(place)];
    E.data()[i] = matrix.values[at(contact.E_place[at(i)])];
  }
  const auto invert = [](const Block& A, Block& inverse) {
    const Eigen::FullPivLU<Block> lu(A);
    const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > singular_ratio * pivots.maxCoeff())) return false;
    inverse = lu.inverse();
    return true;
  };
  if (!invert(B, contact.B_inverse)) return false;
  contact.W.noalias() = E * contact.B_inverse;

  const Index first = reduced_.column_start[at(contact.own[0])];
  const Index width = reduced_.column_start[at(contact.own[0]) + 1] - first;
  auto N = work_.topLeftCorner(m, width);  // C - W S_s
  N.setZero();
  const Index* target = targets_.data() + contact.first_target;
  double* kept = kept_.data() + contact.first_kept;
  for (Index i = 0; i < m; ++i) {
    const Row& row = rows_[at(contact.own[at(i)])];
    for (Index k = row.first; k < row.last; ++k, ++target, ++kept) {
      *kept = matrix.values[at(places_[at(k)])];
      N.col(*target) -= *kept * contact.W.col(i);
    }
  }
  for (Index i = 0; i < m; ++i) {
    const Row& row = rows_[at(contact.first + i)];
    for (Index k = row.first; k < row.last; ++k, ++target) N(i, *target) += matrix.values[at(places_[at(k)])];
  }
  for (Index i = 0; i < m; ++i) block.col(i) = N.col(contact.own_place[at(i)]);
  if (!invert(block, contact.Q)) return false;
  for (Index i = 0; i < m; ++i) {
    const Index own = contact.own[at(i)];
    const Index diagonal = matrix.find(own, own);
    contact.Q.row(i) *= matrix.values[at(diagonal)];
    Eigen::Map<Eigen::RowVectorXd>(reduced_.values.data() + reduced_.column_start[at(own)], width).noalias() =
        contact.Q.row(i) * N;
  }
  return true;
}

void ContactElimination::reduce_touched(const SparseMatrix& matrix, Touched& touched) {
  const Contact& contact = contacts_[at(touched.contact)];
  Column B(contact.rows);
  for (Index i = 0; i < contact.rows; ++i) {
    const Index place = touched.B_place[at(i)];
    B[i] = place < 0 ? 0.0 : matrix.values[at(place)];
  }
  touched.f.noalias() = contact.B_inverse.transpose() * B;
  const Index* target = targets_.data() + touched.first_target;
  const double* kept = kept_.data() + contact.first_kept;
  for (Index i = 0; i < contact.rows; ++i) {
    const Row& row = rows_[at(contact.own[at(i)])];
    for (Index k = row.first; k < row.last; ++k) reduced_.values[at(*target++)] -= touched.f[i] * *kept++;
  }
}

void ContactElimination::condense(std::span<double> b) {
  for (Contact& contact : contacts_) {
    contact.r.resize(contact.rows);
    for (Index i = 0; i < contact.rows; ++i) contact.r[i] = b[at(contact.own[at(i)])];
  }
  for (const Touched& touched : touched_)
    b[at(touched.row)] -= touched.f.dot(contacts_[at(touched.contact)].r);
  for (const Contact& contact : contacts_) {
    const Eigen::Map<const Eigen::VectorXd> c(b.data() + contact.first, contact.rows);
    Column rest = c;  // in two steps: one expression would take its intermediate result from the heap
    rest.noalias() -= contact.W * contact.r;
    const Column right_side = contact.Q * rest;
    for (Index i = 0; i < contact.rows; ++i) b[at(contact.own[at(i)])] = right_side[i];
  }
}

void ContactElimination::expand(std::span<double> b) const {
  for (const Contact& contact : contacts_) {
    Column force = contact.r;  // r_s - S_s u
    const double* kept = kept_.data() + contact.first_kept;
    for (Index i = 0; i < contact.rows; ++i) {
      const Row& row = rows_[at(contact.own[at(i)])];
      for (Index k = row.first; k < row.last; ++k) force[i] -= *kept++ * b[at(columns_[at(k)])];
    }
    Eigen::Map<Column>(b.data() + contact.first, contact.rows).noalias() = contact.B_inverse * force;
  }
}

}  // namespace picus
