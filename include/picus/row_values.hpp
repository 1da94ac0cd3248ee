#pragma once

/// Constraint violations and contact gaps at a state.

#include <picus/state.hpp>
#include <picus/system.hpp>

namespace picus {

/// Values in the row layout of System.
struct RowValues {
  /// Zeros of the size of the system.
  explicit RowValues(const System& system)
      : violation(Vector::Zero(system.row_count())), gaps(Vector::Zero(system.contact_row_count())) {}
  /// Values at a state.
  RowValues(const System& system, const State& state) : RowValues(system) { evaluate(system, state); }

  /// Evaluates the values at a state. Allocates nothing while the contacts are the same. Throws ModelError for a state
  /// of another system.
  void evaluate(const System& system, const State& state) {
    system.require_state(state);
    if (gaps.size() != system.contact_row_count()) gaps.setZero(system.contact_row_count());
    if (violation.size() > 0) system.evaluate_constraint_residual(state.q, state.time, violation);
    if (gaps.size() > 0) system.evaluate_gaps(state.q, state.q, gaps);
  }

  Vector violation;  ///< g(q, t) of the constraints, m or rad
  Vector gaps;       ///< normal gaps of the contacts, m; zero in tangential rows
};

}  // namespace picus
