#pragma once

/// Eliminates all unknowns except the multipliers of contacts from a linearised problem that without contacts decouples
/// into small parts, such as free bodies and short chains:
///
///     S dz + B dP = -r,   y = y_0 + C dz,   W = -C S^-1 B,   dz = -S^-1 (r + B dP)
///
/// Where rows are relaxed, their compliance c adds c dP / k to y, and c / k to the diagonal of W.
///
/// Parts consist of whole nodes, if the problem provides these, and are determined by the values of S, not by its
/// pattern: zero entries do not couple nodes.

#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/solvers/subproblems/condensation_pattern.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>
#include <picus/sparse_matrix.hpp>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace picus::solvers {

class ContactCondensation {
 public:
  /// Linearises at the current iterate of the problem; false if a part is too large or singular.
  bool factorize(ContactProblem& problem);

  /// The candidate contacts of the problem.
  std::span<const ContactCone> contacts() const { return contacts_; }
  /// Computes W for the `chosen` ones among contacts(), in this order; valid until the next call of factorize() or of
  /// this function.
  const DelassusOperator& make_operator(std::span<const Index> chosen);
  /// Computes the change dx of the unknowns for a change dP of the multipliers (contact row layout) and the residual r.
  void solve(const Vector& r, const Vector& dP, Vector& dx) const;
  /// y += C dz + c dP / k for candidate contacts, contact row layout.
  void add_motion(const Vector& dx, Vector& y) const;

 private:
  using Part = CondensationPattern::Part;
  using PartContact = CondensationPattern::PartContact;
  /// A term of W: two contacts that act on one part.
  struct Term {
    Index own, other;  ///< indices into the part contacts
    Index first;       ///< index of the first value of its block
    bool is_first;     ///< of its block
  };

  void list_contacts(const ContactProblem& problem);
  bool invert_parts(const SparseMatrix& matrix, const Threads* threads);
  bool invert(const Part& part);
  void evaluate_part_contacts(const SparseMatrix& matrix, const Threads* threads);
  void list_terms(std::span<const Index> chosen);
  Index rows_of(const PartContact& part_contact) const { return contacts_[part_contact.contact].rows; }
  using ConstMap = Eigen::Map<const Eigen::MatrixXd>;
  ConstMap inverse(const Part& part) const { return {inverses_.data() + part.inverse, part.size, part.size}; }
  /// B, S^-1 B and C of a part contact.
  const double* columns(const PartContact& part_contact) const { return values_.data() + part_contact.first; }
  Index response_offset(const PartContact& part_contact) const {
    return part_contact.first + pattern_.parts()[part_contact.part].size * rows_of(part_contact);
  }
  const double* response(const PartContact& part_contact) const {
    return values_.data() + response_offset(part_contact);
  }
  const double* motion(const PartContact& part_contact) const {
    return values_.data() + part_contact.first +
           2 * pattern_.parts()[part_contact.part].size * rows_of(part_contact);
  }

  CondensationPattern pattern_;
  std::size_t version_ = 0;  ///< of the pattern for which values_ has its size
  std::vector<ContactCone> contacts_;
  std::vector<double> scale_of_row_;  ///< k of all contact rows
  std::vector<double> inverses_, values_;
  DelassusOperator W_;
  std::vector<Term> terms_;             ///< of W, in the order in which they are summed
  std::vector<char> has_term_;          ///< the block of each first value
  std::vector<Index> chosen_, number_;  ///< the contacts of W, and the number of each contact among them
  std::size_t terms_version_ = 0;       ///< of the pattern of terms_
  double compliance_ = 0.0;             ///< c
  mutable Vector work_;
};

}  // namespace picus::solvers
