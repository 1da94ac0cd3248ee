#pragma once

/// Eliminates all unknowns but the multipliers of contacts from a linearised problem, where what contacts couple falls apart
/// without them into small parts, such as free bodies and short chains:
///
///     S dz + B dP = -r,   y = y_0 + C dz,   W = -C S^-1 B,   dz = -S^-1 (r + B dP)
///
/// Parts are those of the values of S, not of its pattern: what is zero couples nothing.

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
  /// Where the problem stands; false where a part is large or singular.
  bool factorize(ContactProblem& problem);

  /// The contacts that are enabled, as the problem has them.
  std::span<const ContactCone> contacts() const { return contacts_; }
  /// W of the `chosen` of them, in this order.
  void make_operator(std::span<const Index> chosen, DelassusOperator& W);
  /// The change dx of the unknowns that goes with a change dP of the multipliers (contact row layout) where r is the residual.
  void solve(const Vector& r, const Vector& dP, Vector& dx) const;
  /// y += C dz of contacts that are enabled, contact row layout.
  void add_motion(const Vector& dx, Vector& y) const;

 private:
  /// Unknowns that hang together.
  struct Part {
    Index first;  ///< of unknowns_
    Index size;
    Index inverse;          ///< of inverses_, size x size
    Index last_touch = -1;  ///< of touches_
  };
  /// A contact that moves a part; lists go back from the last one.
  struct Touch {
    Index contact;
    Index part;
    Index first;  ///< of values_: B, S^-1 B (size x rows each), then C (rows x size)
    Index before_in_contact;
    Index before_in_part;
  };
  /// What an unknown is.
  struct Role {
    Index owner = -1;  ///< its part; for a multiplier its contact, -1 if that is not enabled
    Index place = 0;   ///< among the unknowns of the part, or the rows of the contact
    bool is_multiplier = false;
  };

  void list_multipliers(const ContactProblem& problem);
  bool find_parts(const SparseMatrix& matrix);
  bool invert_parts(const SparseMatrix& matrix, const Threads* threads);
  bool invert(const Part& part, const SparseMatrix& matrix);
  void list_touches(const SparseMatrix& matrix, const Threads* threads);
  Touch& touch_of(Index contact, Index part);
  Index rows_of(const Touch& touch) const { return contacts_[touch.contact].rows; }
  using ConstMap = Eigen::Map<const Eigen::MatrixXd>;
  using MutableMap = Eigen::Map<Eigen::MatrixXd>;
  ConstMap inverse(const Part& part) const { return {inverses_.data() + part.inverse, part.size, part.size}; }
  MutableMap columns(const Touch& touch);
  ConstMap columns(const Touch& touch) const;
  MutableMap response(const Touch& touch);
  ConstMap response(const Touch& touch) const;
  MutableMap motion(const Touch& touch);
  ConstMap motion(const Touch& touch) const;

  std::vector<ContactCone> contacts_;
  std::vector<Index> unknown_of_row_;  ///< of all contact rows
  std::vector<double> scale_of_row_;   ///< k
  std::vector<Role> roles_;
  DisjointSets sets_;  ///< of unknowns
  std::vector<Index> unknowns_;
  std::vector<Part> parts_;
  std::vector<double> inverses_, values_;
  std::vector<Touch> touches_;
  std::vector<Index> last_touch_;  ///< of each contact
  std::vector<Index> number_;      ///< of each contact among those chosen
  mutable Vector work_;
};

}  // namespace picus::solvers
