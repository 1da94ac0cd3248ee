#pragma once

#include <picus/solvers/integrators/fallbacks.hpp>
#include <picus/solvers/linear/linear_solver.hpp>

#include <functional>
#include <memory>

namespace picus {

/// Solver for sub-problems with contacts.
enum class ContactSolverKind : std::uint8_t {
  automatic,  ///< sweeps if 16 or more contacts may be closed
  newton,     ///< the semismooth Newton method for all unknowns at once
  /// Between rigid bodies, Gauss-Seidel sweeps over the contacts alone (docs/theory.md), then Newton's method.
  sweeps,
};

/// Options common to all time integration schemes. Further options of a scheme are in a struct of its own, so that a
/// scheme has no option that it does not use.
struct SchemeOptions {
  double step = 1e-4;       ///< h, s, > 0
  double tolerance = 1e-8;  ///< of each sub-problem, relative to the motion over a step, in (0, 1e-2]
  /// Newton iterations of a solve before fallbacks, 1 to 1000; of `cs` joint iterations.
  int max_iterations = 25;
  double scaling = 1.0;  ///< k = p of the augmented Lagrangian divided by the effective mass of a row, > 0
  /// Proximal term on active multipliers of contacts and redundant rows, relative, in [0, 1e-4].
  double regularization = 1e-8;
  LinearSolverKind linear_solver = LinearSolverKind::automatic;     ///< automatic: by symmetry and size
  ContactSolverKind contact_solver = ContactSolverKind::automatic;  ///< automatic: by the number of contacts
  FallbackPolicy fallbacks;  ///< measures taken when a solve does not converge
  /// Wraps each linear solver on creation, e.g. to record the matrices of a run; empty: no wrapping. If it returns
  /// null, start() throws OptionError.
  std::function<std::unique_ptr<LinearSolver>(std::unique_ptr<LinearSolver>)> wrap_linear_solver;

  /// All numerical options and fallbacks as parameters.
  static const ParameterTable<SchemeOptions>& table();
};

}  // namespace picus
