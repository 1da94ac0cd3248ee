#pragma once

#include <picus/solvers/subproblems/contact_problem.hpp>

#include <memory>

namespace picus {

/// The solution of a problem with many contacts between rigid bodies: in each round everything but the law of contact is
/// linearised, all unknowns but the multipliers of contacts that may close are eliminated (contact_condensation.hpp), and these found by
/// themselves (contact_solver.hpp). No factors of the whole are needed.
class ContactSweeps {
 public:
  ContactSweeps();
  ~ContactSweeps();

  /// Whether the problem falls apart, as far as known.
  bool is_fit() const;

  /// Whether the last solve ended because multipliers of contacts could not be found to the tolerance.
  bool is_halted() const;

  /// Goes on from the iterate of the problem, with the multipliers that it has been given, to a solution, or to where rounds lead no
  /// further. A round counts as an iteration. Nothing is done, now and later, where the problem does not fall apart.
  NewtonReport solve(ContactProblem& problem, const NewtonOptions& options, NewtonWorkspace& work);

 private:
  class Rounds;
  std::unique_ptr<Rounds> rounds_;
};

}  // namespace picus
