#pragma once

#include <picus/solvers/integrators/fallbacks.hpp>
#include <picus/solvers/linear/linear_solver.hpp>

#include <functional>
#include <memory>

namespace picus {

/// What solves sub-problems with contacts.
enum class ContactSolverKind : std::uint8_t {
  automatic,  ///< sweeps from 16 contacts on that may be closed
  newton,     ///< the semismooth Newton iteration for all unknowns at once
  sweeps,  ///< where contacts are between rigid bodies, sweeps over the contacts alone (docs/theory.md); then Newton's iteration
};

/// What all time integration schemes have in common. What one scheme has beside it is a struct of its own: a scheme
/// knows no option that it does not use.
struct SchemeOptions {
  double step = 1e-4;       ///< h, s, > 0
  double tolerance = 1e-8;  ///< of each sub-problem, relative to the motion over a step, in (0, 1e-2]
  int max_iterations = 25;  ///< Newton iterations of a solve before fallbacks, 1 to 1000; joint ones of `cs`
  double scaling = 1.0;     ///< k = p of the augmented Lagrangian over the effective mass of a row, > 0
  double regularization = 1e-8;  ///< proximal term on active multipliers, relative, in [0, 1e-2]
  LinearSolverKind linear_solver = LinearSolverKind::automatic;     ///< automatic: by symmetry and size
  ContactSolverKind contact_solver = ContactSolverKind::automatic;  ///< automatic: by the number of contacts
  FallbackPolicy fallbacks;  ///< what to do when a solve does not converge
  /// Wraps each linear solver when it is made, e.g. to record the matrices of a run; empty: no wrapping. Returning null makes
  /// start() throw OptionError.
  std::function<std::unique_ptr<LinearSolver>(std::unique_ptr<LinearSolver>)> wrap_linear_solver;

  /// Its numbers and fallbacks as parameters.
  static const ParameterTable<SchemeOptions>& table();
};

}  // namespace picus
