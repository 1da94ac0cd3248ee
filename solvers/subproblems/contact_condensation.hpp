#pragma once

/// Eliminates all unknowns except the multipliers of contacts from a linearised problem that without contacts decouples
/// into small parts, such as free bodies and short chains:
///
///     S dz + B dP = -r,   y = y_0 + C dz,   W = -C S^-1 B,   dz = -S^-1 (r + B dP)
///
/// Parts consist of whole nodes, where the problem knows them, and are determined by the values of S, not by its
/// pattern: zero entries do not couple nodes.

#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>
#include <picus/solvers/subproblems/disjoint_sets.hpp>
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
  /// Computes W for the `chosen` ones among contacts(), in this order.
  void make_operator(std::span<const Index> chosen, DelassusOperator& W);
  /// Computes the change dx of the unknowns for a change dP of the multipliers (contact row layout) and the residual r.
  void solve(const Vector& r, const Vector& dP, Vector& dx) const;
  /// y += C dz for candidate contacts, contact row layout.
  void add_motion(const Vector& dx, Vector& y) const;

 private:
  /// A set of coupled unknowns.
  struct Part {
    Index first;  ///< index into unknowns_
    Index size;
    Index inverse;                 ///< index into inverses_, size x size
    Index last_part_contact = -1;  ///< index into part_contacts_
  };
  /// A contact that acts on a part; the linked lists start at the last one.
  struct PartContact {
    Index contact;
    Index part;
    Index first;  ///< index into values_: B, S^-1 B (size x rows each), then C (rows x size)
    Index before_in_contact;
    Index before_in_part;
  };
  /// The role of an unknown.
  struct Role {
    Index owner = -1;  ///< its part; for a multiplier its contact, -1 if it is no candidate
    Index place = 0;   ///< index among the unknowns of the part, or the rows of the contact
    bool is_multiplier = false;
  };

  void list_multipliers(const ContactProblem& problem);
  void join_nodes(const ContactProblem& problem);
  bool find_parts(const ContactProblem& problem, const SparseMatrix& matrix);
  bool invert_parts(const SparseMatrix& matrix, const Threads* threads);
  bool invert(const Part& part, const SparseMatrix& matrix);
  void list_part_contacts(const SparseMatrix& matrix, const Threads* threads);
  PartContact& part_contact_of(Index contact, Index part);
  Index rows_of(const PartContact& part_contact) const { return contacts_[part_contact.contact].rows; }
  using ConstMap = Eigen::Map<const Eigen::MatrixXd>;
  using MutableMap = Eigen::Map<Eigen::MatrixXd>;
  ConstMap inverse(const Part& part) const { return {inverses_.data() + part.inverse, part.size, part.size}; }
  MutableMap columns(const PartContact& part_contact);
  ConstMap columns(const PartContact& part_contact) const;
  MutableMap response(const PartContact& part_contact);
  ConstMap response(const PartContact& part_contact) const;
  MutableMap motion(const PartContact& part_contact);
  ConstMap motion(const PartContact& part_contact) const;

  std::vector<ContactCone> contacts_;
  std::vector<Index> unknown_of_row_;  ///< for all contact rows
  std::vector<double> scale_of_row_;   ///< k
  std::vector<Role> roles_;
  DisjointSets sets_;  ///< of unknowns
  std::vector<Index> unknowns_;
  std::vector<Part> parts_;
  std::vector<double> inverses_, values_;
  std::vector<PartContact> part_contacts_;
  std::vector<Index> last_part_contact_;  ///< of each contact
  std::vector<Index> number_;             ///< number of each contact among those chosen
  mutable Vector work_;
};

}  // namespace picus::solvers
