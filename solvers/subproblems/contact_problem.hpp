#pragma once

/// What remedies for stalled solves need of a problem with contacts.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/newton/semismooth_newton.hpp>

#include <span>
#include <string>

namespace picus {

/// How much of the law of impact is kept. With redundant contacts it may have no solution: three bodies jammed between two
/// walls cannot each rebound with a part of an approach rate that is merely the residual of the last step.
enum class Restitution : std::uint8_t {
  complete,
  of_new_contacts,  ///< none in contacts that were closed at t_n
  none,             ///< where nothing drives the surfaces together a solution exists
};

/// What the rows of contacts hold in a tangent.
enum class ContactRows : std::uint8_t {
  law,     ///< the equations of contact
  held,    ///< multipliers stay what they are
  motion,  ///< -k times the change of gaps or rates; contacts add no geometric stiffness, which would couple bodies without them
};

class ContactProblem : public NonlinearProblem {
 public:
  /// Those of its System; null for one.
  virtual const Threads* threads() const = 0;

  /// For the next initial guess.
  virtual void set_restitution(Restitution restitution) = 0;
  /// Whether the law of impact has a part in the problem as it stands.
  virtual bool has_restitution() const = 0;

  /// k = p = scaling times effective masses, and the relative proximal term. Physical multipliers stay what
  /// they are.
  virtual void set_scaling(double scaling, double regularization) = 0;

  /// The node, constraint or contact behind an unknown, for messages.
  virtual std::string describe(Index unknown) const = 0;

  /// Contacts, whose rows are numbered through all of them.
  virtual std::span<const ContactCone> cones() const = 0;
  /// Multipliers P, one for each contact row.
  virtual const Vector& contact_multipliers() const = 0;
  virtual void set_contact_multipliers(const Vector& P) = 0;
  /// Gaps and tangential motions, or rates of the impact law, at the iterate last evaluated.
  virtual const Vector& contact_motion() const = 0;

  /// 1 over the tolerance of the residual in the row of an unknown.
  virtual double weight(Index unknown) const = 0;

  /// For rows that conflict (least_violation.hpp): the tolerances of y in the rows of constraints and contacts, in the order of
  /// their unknowns; empty where rows cannot be relaxed.
  virtual Vector row_tolerances() const { return {}; }
  /// Their unknowns x = P / k, of which the set ones count from the next evaluation on.
  virtual Vector row_multipliers() const { return {}; }
  virtual void set_row_multipliers(const Vector& /*x*/) {}
  /// From the next evaluation on, until the problem begins anew, they hold for y + shift + compliance x in the place of y. The
  /// compliance is known to the tangent as the proximal term.
  virtual void relax(const Vector& /*shift*/, double /*compliance*/) {}

  /// For solvers that condense to the contacts: the tangent with other rows of contacts,
  virtual const SparseMatrix& tangent_with(ContactRows rows) = 0;
  /// the unknown and its row that hold a multiplier, the right-hand side in that row which changes the multiplier by dP,
  virtual Index contact_unknown(Index contact_row) const = 0;
  virtual double held_multiplier_row(Index contact_row, double dP) const = 0;
  /// and the change of gaps or rates under a change dx of the unknowns.
  virtual void contact_response(const Vector& dx, Vector& response) = 0;
};

}  // namespace picus
