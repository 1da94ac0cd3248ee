#include <picus/solvers/subproblems/contact_condensation.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace picus::solvers {
namespace {

/// Sizes that most parts and contacts have: of a free body, and of a contact with friction.
constexpr int body_size = 6;
constexpr int friction_rows = 3;
/// Smallest number of parts, or of their contacts, for which a further thread pays off.
constexpr std::size_t part_grain = 64;

using BodyMatrix = Eigen::Matrix<double, body_size, body_size>;
using BodyVector = Eigen::Matrix<double, body_size, 1>;
using BodyColumns = Eigen::Matrix<double, body_size, friction_rows>;
using BodyRows = Eigen::Matrix<double, friction_rows, body_size>;

}  // namespace

void ContactCondensation::list_contacts(const ContactProblem& problem) {
  contacts_.clear();
  scale_of_row_.resize(problem.contact_multipliers().size());
  for (const ContactCone& cone : problem.cones()) {
    std::fill_n(scale_of_row_.begin() + cone.first_row, cone.rows, cone.k);
    if (cone.is_candidate) contacts_.push_back(cone);
  }
}

bool ContactCondensation::invert_parts(const SparseMatrix& matrix, const Threads* threads) {
  inverses_.assign(pattern_.inverse_value_count(), 0.0);
  for (const auto& place : pattern_.inverse_places()) inverses_[place.value] = matrix.values[place.entry];
  std::atomic<bool> all = true;
  const auto parts = pattern_.parts();
  for_parts(threads, parts.size(), part_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && all; ++i) {
      if (!invert(parts[i])) all = false;
    }
  });
  return all;
}

bool ContactCondensation::invert(const Part& part) {
  double* const S = inverses_.data() + part.inverse;
  if (part.size == body_size) {
    Eigen::Map<BodyMatrix> block(S);
    block = BodyMatrix(block).partialPivLu().inverse();
  } else {
    Eigen::Map<Eigen::MatrixXd> block(S, part.size, part.size);
    block = Eigen::MatrixXd(block).partialPivLu().inverse();
  }
  for (Index i = 0; i < part.size * part.size; ++i) {
    if (!std::isfinite(S[i])) return false;
  }
  return true;
}

void ContactCondensation::evaluate_part_contacts(const SparseMatrix& matrix, const Threads* threads) {
  if (version_ != pattern_.version()) values_.assign(pattern_.contact_value_count(), 0.0);
  version_ = pattern_.version();
  for (const auto& [place, contact, is_row] : pattern_.contact_places()) {
    const double value = matrix.values[place.entry] / contacts_[contact].k;
    values_[place.value] = is_row ? -value : value;
  }
  const auto part_contacts = pattern_.part_contacts();
  for_parts(threads, part_contacts.size(), part_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const PartContact& part_contact = part_contacts[i];
      const Part& part = pattern_.parts()[part_contact.part];
      const Index rows = rows_of(part_contact);
      double* const response = values_.data() + response_offset(part_contact);
      if (part.size == body_size && rows == friction_rows) {
        Eigen::Map<BodyColumns>(response).noalias() =
            Eigen::Map<const BodyMatrix>(inverses_.data() + part.inverse)
                .lazyProduct(Eigen::Map<const BodyColumns>(columns(part_contact)));
      } else {
        Eigen::Map<Eigen::MatrixXd>(response, part.size, rows).noalias() =
            inverse(part).lazyProduct(ConstMap(columns(part_contact), part.size, rows));
      }
    }
  });
}

bool ContactCondensation::factorize(ContactProblem& problem) {
  const SparseMatrix& matrix = problem.tangent_with(ContactRows::motion);
  compliance_ = problem.compliance();
  list_contacts(problem);
  if (!pattern_.update(problem, matrix) || !invert_parts(matrix, problem.threads())) return false;
  evaluate_part_contacts(matrix, problem.threads());
  return true;
}

void ContactCondensation::list_terms(std::span<const Index> chosen) {
  terms_version_ = pattern_.version();
  chosen_.assign(chosen.begin(), chosen.end());
  number_.assign(contacts_.size(), -1);
  for (Index i = 0; i < count_of(chosen); ++i) number_[chosen[i]] = i;
  terms_.clear();
  has_term_.clear();
  W_.clear();
  const auto part_contacts = pattern_.part_contacts();
  for (const Index contact : chosen) {
    W_.add_contact(contacts_[contact].rows);
    for (Index own = pattern_.last_part_contact(contact); own >= 0;
         own = part_contacts[own].before_in_contact) {
      for (Index other = pattern_.parts()[part_contacts[own].part].last_part_contact; other >= 0;
           other = part_contacts[other].before_in_part) {
        const Index number = number_[part_contacts[other].contact];
        if (number < 0) continue;
        const Index first = W_.add_block(number, rows_of(part_contacts[other]));
        if (count_of(has_term_) <= first) has_term_.resize(first + 1, 0);
        terms_.push_back({own, other, first, has_term_[first] == 0});
        has_term_[first] = 1;
      }
    }
  }
}

const DelassusOperator& ContactCondensation::make_operator(std::span<const Index> chosen) {
  if (terms_version_ != pattern_.version() || !std::ranges::equal(chosen, chosen_)) list_terms(chosen);
  for (const Term& term : terms_) {
    const PartContact& own = pattern_.part_contacts()[term.own];
    const PartContact& other = pattern_.part_contacts()[term.other];
    const Index size = pattern_.parts()[own.part].size;
    const Index rows = rows_of(own);
    const Index other_rows = rows_of(other);
    double* const block = W_.values(term.first);
    if (size == body_size && rows == friction_rows && other_rows == friction_rows) {
      Eigen::Map<Eigen::Matrix3d> value(block);
      if (term.is_first) value.setZero();
      value.noalias() -=
          Eigen::Map<const BodyRows>(motion(own)) * Eigen::Map<const BodyColumns>(response(other));
    } else {
      Eigen::Map<Eigen::MatrixXd> value(block, rows, other_rows);
      if (term.is_first) value.setZero();
      value.noalias() -=
          ConstMap(motion(own), rows, size).lazyProduct(ConstMap(response(other), size, other_rows));
    }
  }
  if (compliance_ > 0) {
    for (Index i = 0; i < count_of(chosen); ++i) W_.shift_diagonal(i, compliance_ / contacts_[chosen[i]].k);
    terms_version_ = 0;  // blocks without terms begin with zero again
  }
  return W_;
}

void ContactCondensation::solve(const Vector& r, const Vector& dP, Vector& dx) const {
  dx = r;
  const auto unknowns = pattern_.unknowns();
  for (const PartContact& part_contact : pattern_.part_contacts()) {
    const Part& part = pattern_.parts()[part_contact.part];
    const double* B = columns(part_contact);
    const Index first_row = contacts_[part_contact.contact].first_row;
    for (Index i = 0; i < rows_of(part_contact); ++i, B += part.size) {
      const double change = dP[first_row + i];
      if (change == 0) continue;
      for (Index j = 0; j < part.size; ++j) dx[unknowns[part.first + j]] += B[j] * change;
    }
  }
  for (const Part& part : pattern_.parts()) {
    const Index* const unknown = unknowns.data() + part.first;
    if (part.size == body_size) {
      BodyVector own;
      for (int j = 0; j < body_size; ++j) own[j] = dx[unknown[j]];
      const BodyVector change =
          Eigen::Map<const BodyMatrix>(inverses_.data() + part.inverse).lazyProduct(own);
      for (int j = 0; j < body_size; ++j) dx[unknown[j]] = -change[j];
      continue;
    }
    work_.resize(part.size);
    for (Index j = 0; j < part.size; ++j) work_[j] = dx[unknown[j]];
    const ConstMap S = inverse(part);
    for (Index j = 0; j < part.size; ++j) dx[unknown[j]] = -S.row(j).dot(work_);
  }
  const auto unknown_of_row = pattern_.unknown_of_row();
  for (Index row = 0; row < count_of(unknown_of_row); ++row)
    dx[unknown_of_row[row]] = dP[row] / scale_of_row_[row];
}

void ContactCondensation::add_motion(const Vector& dx, Vector& y) const {
  const auto unknowns = pattern_.unknowns();
  for (const PartContact& part_contact : pattern_.part_contacts()) {
    const Part& part = pattern_.parts()[part_contact.part];
    const double* C = motion(part_contact);
    const Index rows = rows_of(part_contact);
    double* const own = y.data() + contacts_[part_contact.contact].first_row;
    for (Index j = 0; j < part.size; ++j, C += rows) {
      const double change = dx[unknowns[part.first + j]];
      for (Index i = 0; i < rows; ++i) own[i] += C[i] * change;
    }
  }
  if (compliance_ == 0) return;
  const auto unknown_of_row = pattern_.unknown_of_row();
  for (const ContactCone& cone : contacts_) {
    for (Index row = cone.first_row; row < cone.first_row + cone.rows; ++row)
      y[row] += compliance_ * dx[unknown_of_row[row]];
  }
}

}  // namespace picus::solvers
