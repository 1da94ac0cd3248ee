#include <picus/solvers/subproblems/contact_condensation.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace picus::solvers {
namespace {

/// Number of unknowns of a part above which its inverse costs more than sparse factors of the full matrix.
constexpr Index largest_part = 100;
/// Sizes that most parts and contacts have: of a free body, and of a contact with friction.
constexpr int body_size = 6;
constexpr int friction_rows = 3;
/// Number of parts, or of their contacts, that is worth handing to another thread.
constexpr std::size_t part_grain = 64;

}  // namespace

void ContactCondensation::list_multipliers(const ContactProblem& problem) {
  contacts_.clear();
  roles_.assign(problem.size(), {});
  unknown_of_row_.resize(problem.contact_multipliers().size());
  scale_of_row_.resize(unknown_of_row_.size());
  for (const ContactCone& cone : problem.cones()) {
    for (Index i = 0; i < cone.rows; ++i) {
      const Index unknown = problem.contact_unknown(cone.first_row + i);
      unknown_of_row_[cone.first_row + i] = unknown;
      scale_of_row_[cone.first_row + i] = cone.k;
      roles_[unknown] = {
          .owner = cone.is_candidate ? count_of(contacts_) : -1, .place = i, .is_multiplier = true};
    }
    if (cone.is_candidate) contacts_.push_back(cone);
  }
}

/// Components of one node form one part, coupled or not: a part costs more than some zeros in its inverse.
void ContactCondensation::join_nodes(const ContactProblem& problem) {
  const auto start = problem.node_starts();
  for (std::size_t node = 0; node + 1 < start.size(); ++node) {
    for (Index i = start[node] + 1; i < start[node + 1]; ++i) sets_.join(start[node], i);
  }
}

bool ContactCondensation::find_parts(const ContactProblem& problem, const SparseMatrix& matrix) {
  sets_.reset(matrix.size);
  join_nodes(problem);
  for (Index c = 0; c < matrix.size; ++c) {
    if (roles_[c].is_multiplier) continue;
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Index r = matrix.row[k];
      if (r == c || roles_[r].is_multiplier || matrix.values[k] == 0) continue;
      sets_.join(r, c);
    }
  }
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
  Index inverse = 0;
  for (Part& part : parts_) {
    if (part.size > largest_part) return false;
    part.first = first;
    part.inverse = inverse;
    first += part.size;
    inverse += part.size * part.size;
  }
  unknowns_.resize(first);
  inverses_.assign(inverse, 0.0);
  for (Index i = 0; i < matrix.size; ++i) {
    if (!roles_[i].is_multiplier) unknowns_[parts_[roles_[i].owner].first + roles_[i].place] = i;
  }
  return true;
}

bool ContactCondensation::invert_parts(const SparseMatrix& matrix, const Threads* threads) {
  std::atomic<bool> all = true;
  for_parts(threads, parts_.size(), part_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && all; ++i) {
      if (!invert(parts_[i], matrix)) all = false;
    }
  });
  return all;
}

bool ContactCondensation::invert(const Part& part, const SparseMatrix& matrix) {
  double* const S = inverses_.data() + part.inverse;
  for (Index j = 0; j < part.size; ++j) {
    const Index c = unknowns_[part.first + j];
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Role& role = roles_[matrix.row[k]];
      if (!role.is_multiplier && matrix.values[k] != 0) S[j * part.size + role.place] = matrix.values[k];
    }
  }
  if (part.size == body_size) {
    using Matrix = Eigen::Matrix<double, body_size, body_size>;
    Eigen::Map<Matrix> block(S);
    block = Matrix(block).partialPivLu().inverse();
  } else {
    MutableMap block(S, part.size, part.size);
    block = Eigen::MatrixXd(block).partialPivLu().inverse();
  }
  for (Index i = 0; i < part.size * part.size; ++i) {
    if (!std::isfinite(S[i])) return false;
  }
  return true;
}

ContactCondensation::PartContact& ContactCondensation::part_contact_of(Index contact, Index part) {
  for (Index t = last_part_contact_[contact]; t >= 0; t = part_contacts_[t].before_in_contact) {
    if (part_contacts_[t].part == part) return part_contacts_[t];
  }
  Part& owner = parts_[part];
  part_contacts_.push_back({.contact = contact,
                            .part = part,
                            .first = count_of(values_),
                            .before_in_contact = last_part_contact_[contact],
                            .before_in_part = owner.last_part_contact});
  last_part_contact_[contact] = owner.last_part_contact = count_of(part_contacts_) - 1;
  values_.resize(values_.size() + 3 * owner.size * contacts_[contact].rows, 0.0);
  return part_contacts_.back();
}

ContactCondensation::MutableMap ContactCondensation::columns(const PartContact& part_contact) {
  return {values_.data() + part_contact.first, parts_[part_contact.part].size, rows_of(part_contact)};
}
ContactCondensation::ConstMap ContactCondensation::columns(const PartContact& part_contact) const {
  return {values_.data() + part_contact.first, parts_[part_contact.part].size, rows_of(part_contact)};
}
ContactCondensation::MutableMap ContactCondensation::response(const PartContact& part_contact) {
  const Index size = parts_[part_contact.part].size;
  return {values_.data() + part_contact.first + size * rows_of(part_contact), size, rows_of(part_contact)};
}
ContactCondensation::ConstMap ContactCondensation::response(const PartContact& part_contact) const {
  const Index size = parts_[part_contact.part].size;
  return {values_.data() + part_contact.first + size * rows_of(part_contact), size, rows_of(part_contact)};
}
ContactCondensation::MutableMap ContactCondensation::motion(const PartContact& part_contact) {
  const Index size = parts_[part_contact.part].size;
  return {values_.data() + part_contact.first + 2 * size * rows_of(part_contact), rows_of(part_contact),
          size};
}
ContactCondensation::ConstMap ContactCondensation::motion(const PartContact& part_contact) const {
  const Index size = parts_[part_contact.part].size;
  return {values_.data() + part_contact.first + 2 * size * rows_of(part_contact), rows_of(part_contact),
          size};
}

void ContactCondensation::list_part_contacts(const SparseMatrix& matrix, const Threads* threads) {
  part_contacts_.clear();
  values_.clear();
  last_part_contact_.assign(contacts_.size(), -1);
  for (Index c = 0; c < matrix.size; ++c) {
    const Role& column = roles_[c];
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Role& row = roles_[matrix.row[k]];
      if (row.is_multiplier == column.is_multiplier) continue;
      const Role& contact = row.is_multiplier ? row : column;
      const Role& unknown = row.is_multiplier ? column : row;
      if (contact.owner < 0) continue;
      const PartContact& part_contact = part_contact_of(contact.owner, unknown.owner);
      const double value = matrix.values[k] / contacts_[contact.owner].k;
      if (row.is_multiplier) {
        motion(part_contact)(contact.place, unknown.place) = -value;
      } else {
        columns(part_contact)(unknown.place, contact.place) = value;
      }
    }
  }
  for_parts(threads, part_contacts_.size(), part_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const PartContact& part_contact = part_contacts_[i];
      response(part_contact).noalias() =
          inverse(parts_[part_contact.part]).lazyProduct(columns(part_contact));
    }
  });
}

bool ContactCondensation::factorize(ContactProblem& problem) {
  const SparseMatrix& matrix = problem.tangent_with(ContactRows::motion);
  list_multipliers(problem);
  if (!find_parts(problem, matrix) || !invert_parts(matrix, problem.threads())) return false;
  list_part_contacts(matrix, problem.threads());
  return true;
}

void ContactCondensation::make_operator(std::span<const Index> chosen, DelassusOperator& W) {
  number_.assign(contacts_.size(), -1);
  for (std::size_t i = 0; i < chosen.size(); ++i) number_[chosen[i]] = static_cast<Index>(i);
  W.clear();
  for (const Index contact : chosen) {
    W.add_contact(contacts_[contact].rows);
    for (Index t = last_part_contact_[contact]; t >= 0; t = part_contacts_[t].before_in_contact) {
      const PartContact& own = part_contacts_[t];
      for (Index o = parts_[own.part].last_part_contact; o >= 0; o = part_contacts_[o].before_in_part) {
        const PartContact& other = part_contacts_[o];
        if (number_[other.contact] < 0) continue;
        auto block = W.add_to(number_[other.contact], rows_of(other));
        if (parts_[own.part].size == body_size && block.rows() == friction_rows &&
            block.cols() == friction_rows) {
          using Motion = Eigen::Matrix<double, friction_rows, body_size>;
          using Response = Eigen::Matrix<double, body_size, friction_rows>;
          Eigen::Map<Eigen::Matrix3d>(block.data()).noalias() -=
              Eigen::Map<const Motion>(motion(own).data()) *
              Eigen::Map<const Response>(response(other).data());
        } else {
          block.noalias() -= motion(own).lazyProduct(response(other));
        }
      }
    }
  }
}

void ContactCondensation::solve(const Vector& r, const Vector& dP, Vector& dx) const {
  dx = r;
  for (const PartContact& part_contact : part_contacts_) {
    const Part& part = parts_[part_contact.part];
    const ConstMap B = columns(part_contact);
    const Index first_row = contacts_[part_contact.contact].first_row;
    for (Index i = 0; i < rows_of(part_contact); ++i) {
      const double change = dP[first_row + i];
      if (change == 0) continue;
      for (Index j = 0; j < part.size; ++j) dx[unknowns_[part.first + j]] += B(j, i) * change;
    }
  }
  for (const Part& part : parts_) {
    work_.resize(part.size);
    for (Index j = 0; j < part.size; ++j) work_[j] = dx[unknowns_[part.first + j]];
    const ConstMap S = inverse(part);
    for (Index j = 0; j < part.size; ++j) dx[unknowns_[part.first + j]] = -S.row(j).dot(work_);
  }
  for (std::size_t row = 0; row < unknown_of_row_.size(); ++row)
    dx[unknown_of_row_[row]] = dP[static_cast<Index>(row)] / scale_of_row_[row];
}

void ContactCondensation::add_motion(const Vector& dx, Vector& y) const {
  for (const PartContact& part_contact : part_contacts_) {
    const Part& part = parts_[part_contact.part];
    const ConstMap C = motion(part_contact);
    const Index first_row = contacts_[part_contact.contact].first_row;
    for (Index j = 0; j < part.size; ++j) {
      const double change = dx[unknowns_[part.first + j]];
      for (Index i = 0; i < rows_of(part_contact); ++i) y[first_row + i] += C(i, j) * change;
    }
  }
}

}  // namespace picus::solvers
