#pragma once

/// The structure of a linearised problem that without contacts decouples into small parts (contact_condensation.hpp):
/// the unknowns of each part, the contacts that act on it, and where each entry of the matrix belongs. It remains the
/// same from step to step as long as contacts, candidates and couplings of nodes do; update() compares these, exactly,
/// with those of its last call, so that the structure never depends on earlier problems.

#include <picus/solvers/subproblems/contact_problem.hpp>
#include <picus/solvers/subproblems/disjoint_sets.hpp>
#include <picus/sparse_matrix.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

class CondensationPattern {
 public:
  /// A set of coupled unknowns.
  struct Part {
    Index first;  ///< index into unknowns()
    Index size;
    Index inverse;                 ///< index of its inverse, size x size
    Index last_part_contact = -1;  ///< index into part_contacts()
  };
  /// A contact that acts on a part; the linked lists start at the last one.
  struct PartContact {
    Index contact;
    Index part;
    Index first;  ///< index of its values: B, S^-1 B (size x rows each), then C (rows x size)
    Index before_in_contact;
    Index before_in_part;
  };
  /// Where an entry of the matrix is stored.
  struct Place {
    Index entry;  ///< index into the values of the matrix
    Index value;  ///< index among the inverses, or the values of part contacts
  };
  /// The same for an entry in a row (C) or a column (B) of a contact.
  struct ContactPlace {
    Place place;
    Index contact;
    bool is_row;
  };

  /// Number of unknowns of a part above which its inverse costs more than sparse factors of the full matrix.
  static constexpr Index largest_part = 100;

  /// Finds the structure, unless it is that of the last call; false if a part is too large.
  bool update(const ContactProblem& problem, const SparseMatrix& matrix);
  /// Number of structures found so far.
  std::size_t version() const { return version_; }

  std::span<const Part> parts() const { return parts_; }
  std::span<const Index> unknowns() const { return unknowns_; }
  std::span<const PartContact> part_contacts() const { return part_contacts_; }
  /// The last part contact of a candidate contact, -1 if there is none.
  Index last_part_contact(Index contact) const { return last_part_contact_[contact]; }
  /// The unknown of each contact row.
  std::span<const Index> unknown_of_row() const { return unknown_of_row_; }
  std::span<const Place> inverse_places() const { return inverse_places_; }
  std::span<const ContactPlace> contact_places() const { return contact_places_; }
  Index inverse_value_count() const { return inverse_values_; }
  Index contact_value_count() const { return contact_values_; }

 private:
  /// The role of an unknown.
  struct Role {
    Index owner = -1;  ///< its part; for a multiplier its contact, -1 if it is no candidate
    Index place = 0;   ///< index among the unknowns of the part, or the rows of the contact
    bool is_multiplier = false;
  };
  /// The rows of a contact, and whether it is a candidate.
  struct ContactKind {
    Index rows;
    bool is_candidate;
    bool operator==(const ContactKind&) const = default;
  };

  void list_multipliers(const ContactProblem& problem);
  bool is_known(const ContactProblem& problem, const SparseMatrix& matrix) const;
  void note(const ContactProblem& problem, const SparseMatrix& matrix);
  void find_roles(const ContactProblem& problem, Index size);
  template <class Visit>
  void for_links(const SparseMatrix& matrix, const Visit& visit) const;
  void find_parts(const SparseMatrix& matrix);
  void list_links(const SparseMatrix& matrix);
  bool number_parts(const SparseMatrix& matrix);
  void find_places(const SparseMatrix& matrix);
  const PartContact& part_contact_of(Index contact, Index part);

  // The data on which the structure depends.
  IndexList column_start_, row_;
  std::vector<Index> node_starts_, unknown_of_row_;
  std::vector<ContactKind> kinds_;
  std::vector<Index> links_;       ///< entries of the matrix that couple two nodes unless they vanish
  std::vector<char> are_coupled_;  ///< whether they do not vanish
  bool is_found_ = false;

  // The same of the present problem.
  std::vector<Index> new_unknowns_;
  std::vector<ContactKind> new_kinds_;

  std::size_t version_ = 0;
  std::vector<Role> roles_;
  DisjointSets sets_;  ///< of unknowns
  std::vector<Index> unknowns_;
  std::vector<Part> parts_;
  std::vector<PartContact> part_contacts_;
  std::vector<Index> last_part_contact_;  ///< of each candidate contact
  std::vector<Index> rows_;               ///< of each candidate contact
  std::vector<Place> inverse_places_;
  std::vector<ContactPlace> contact_places_;
  Index inverse_values_ = 0, contact_values_ = 0;
};

}  // namespace picus::solvers
