#pragma once

#include <picus/solvers/subproblems/contact_problem.hpp>

#include <memory>

namespace picus {

/// Solver for problems with many contacts between rigid bodies: in each round everything except the contact law is
/// linearised, all unknowns except the multipliers of contacts that may close are eliminated
/// (contact_condensation.hpp), and the contact problem is solved (contact_solver.hpp). The full tangent is never
/// factorised.
class ContactSweeps {
 public:
  ContactSweeps();
  ~ContactSweeps();

  /// Whether the problem decouples without contacts, as far as known.
  bool is_decoupled() const;

  /// Whether the last solve ended because multipliers of contacts could not be found to the tolerance.
  bool has_stalled() const;
  /// Change of the unknowns by the last solve.
  const Vector& change() const;

  /// Iterates from the current iterate of the problem, with the multipliers set before, to a solution, or until rounds
  /// make no progress. A round counts as an iteration. If the problem does not decouple, this and later calls do
  /// nothing. `goes_on_when_stalled`: contacts that are violated are added even if the multipliers of the others are
  /// not found to the tolerance, which takes longer and ends nearer to a solution. `expected_change`: a prediction of
  /// the change of the multipliers, contact row layout, of which use is made if it helps; null: none.
  NewtonReport solve(ContactProblem& problem, const NewtonOptions& options, NewtonWorkspace& work,
                     bool goes_on_when_stalled = false, const Vector* expected_change = nullptr);

 private:
  class Rounds;
  std::unique_ptr<Rounds> rounds_;
};

}  // namespace picus
