#pragma once

/// The interface of a problem with contacts that the remedies for stalled solves require.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/newton/semismooth_newton.hpp>

#include <span>
#include <string>

namespace picus {

/// To which contacts restitution is applied. With redundant contacts the impact law may have no solution: three bodies
/// jammed between two walls cannot each rebound with a fraction of an approach rate that is merely the residual of the
/// last step.
enum class Restitution : std::uint8_t {
  complete,
  of_new_contacts,  ///< not to contacts that were closed at t_n
  none,             ///< a solution exists unless surfaces are driven together
};

/// Content of the rows of contacts in a tangent.
enum class ContactRows : std::uint8_t {
  law,    ///< the contact conditions
  fixed,  ///< multipliers are fixed
  /// -k times the change of gaps or rates; without geometric stiffness of contacts, which would couple bodies.
  motion,
};

class ContactProblem : public NonlinearProblem {
 public:
  /// The threads of its System; null for a single thread.
  virtual const Threads* threads() const = 0;

  /// Takes effect at the next initial guess.
  virtual void set_restitution(Restitution restitution) = 0;
  /// Whether restitution affects the problem in its present state.
  virtual bool has_restitution() const = 0;

  /// Sets k = p = scaling times effective masses, and the relative proximal term. Physical multipliers are unchanged.
  virtual void set_scaling(double scaling, double regularization) = 0;

  /// The node, constraint or contact of an unknown, for messages.
  virtual std::string describe(Index unknown) const = 0;

  /// The contacts, with consecutively numbered rows.
  virtual std::span<const ContactCone> cones() const = 0;
  /// Multipliers P, one for each contact row.
  virtual const Vector& contact_multipliers() const = 0;
  virtual void set_contact_multipliers(const Vector& P) = 0;
  /// Gaps and tangential displacements, or rates of the impact law, at the iterate last evaluated.
  virtual const Vector& contact_motion() const = 0;

  /// Reciprocal tolerance of the residual in the row of an unknown.
  virtual double weight(Index unknown) const = 0;
  /// Rounding errors of coordinates in rows of contacts, relative to the tolerances of these rows: the largest.
  virtual double contact_rounding() const { return 0.0; }

  /// For infeasible problems (smallest_feasible_shift.hpp): the tolerances of y in the rows of constraints and
  /// contacts, in the order of their unknowns; empty if rows cannot be relaxed.
  virtual Vector row_tolerances() const { return {}; }
  /// The unknowns x = P / k of these rows; values that are set take effect at the next evaluation.
  virtual Vector row_multipliers() const { return {}; }
  virtual void set_row_multipliers(const Vector& /*x*/) {}
  /// Replaces y by y + shift + compliance x in these rows, from the next evaluation until the next initial guess. The
  /// compliance enters the tangent as the proximal term.
  virtual void relax(const Vector& /*shift*/, double /*compliance*/) {}
  /// The compliance of the rows, zero unless they are relaxed.
  virtual double compliance() const { return 0.0; }
  /// Whether motions are prescribed, so that rows may contradict each other; otherwise bodies at rest satisfy them, but
  /// for features of surfaces on opposite sides of a body.
  virtual bool is_driven() const { return true; }

  /// For solvers that condense to the contacts: the first unknown of each node that has free components, and the end
  /// of the last one; empty if unknown.
  virtual std::span<const Index> node_starts() const { return {}; }
  /// The tangent with different rows of contacts.
  virtual const SparseMatrix& tangent_with(ContactRows rows) = 0;
  /// The unknown (and row) of a multiplier.
  virtual Index contact_unknown(Index contact_row) const = 0;
  /// The right-hand side in the row of a fixed multiplier that changes it by dP.
  virtual double fixed_multiplier_row(Index contact_row, double dP) const = 0;
  /// The change of gaps or rates under a change dx of the unknowns.
  virtual void contact_response(const Vector& dx, Vector& response) = 0;
};

}  // namespace picus
