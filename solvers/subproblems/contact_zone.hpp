#pragma once

/// A better initial guess for a large problem with contacts, from the surroundings of these contacts alone.
///
/// Where the mass dominates, an impulse of a contact moves little more than the unknowns nearby. Gauss-Seidel sweeps
/// over these and over the contacts, each contact solved exactly with the diagonal of the tangent, determine which
/// contacts slide, stick and open at a small fraction of the cost of a solve of the whole model; Newton's method then
/// begins from these states instead of finding them by one solve after another.

#include <picus/solvers/subproblems/contact_problem.hpp>

#include <vector>

namespace picus {

class ContactZone {
 public:
  /// Change dx of the unknowns that nearly solves the linearised momentum rows and the contact conditions nearby, with
  /// `tangent` and the residual `r` at the iterate last evaluated; its rows of contacts are not used.
  void solve(const ContactProblem& problem, const SparseMatrix& tangent, const Vector& r, Vector& dx);

 private:
  /// The unknowns that a contact moves, and where its data begin.
  struct Part {
    Index first, last;  ///< in dofs_
    Index places;       ///< in places_ and gradient_
    Index delassus;     ///< in delassus_
  };

  /// Collects the unknowns and contacts of the zone.
  void build(const ContactProblem& problem, const SparseMatrix& tangent);
  /// Copies values of the tangent.
  void assign(const ContactProblem& problem, const SparseMatrix& tangent);
  /// Solves the rows of the unknowns that a contact moves, then the contact.
  void solve_contact(const ContactCone& cone, std::size_t contact);
  /// Changes an unknown, and updates the residual of the momentum rows.
  void move(Index unknown, double change);
  /// Solves the row of an unknown.
  void relax(Index unknown);

  std::vector<Part> parts_;       ///< of each contact
  std::vector<Index> dofs_;       ///< unknowns of all contacts, one contact after another
  std::vector<Index> places_;     ///< of their entries in the columns of the contact's multipliers, or -1
  std::vector<Index> others_;     ///< unknowns nearby that no contact moves
  std::vector<Index> diagonal_;   ///< places of diagonal entries; -1 outside of the zone
  std::vector<double> gradient_;  ///< entries at places_, over -k
  std::vector<double> delassus_;  ///< blocks of the contacts
  const SparseMatrix* tangent_ = nullptr;
  Index first_multiplier_ = 0;
  Vector rest_;    ///< residual of the momentum rows
  Vector change_;  ///< of the unknowns
  Vector P_;       ///< multipliers with that change
  Vector y_;       ///< motion of the contacts without it
};

}  // namespace picus
