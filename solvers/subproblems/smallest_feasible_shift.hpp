#pragma once

/// Relaxation of infeasible problems: contacts, constraints and prescribed motions that cannot be satisfied together,
/// such as a body between closing walls. Their rows are relaxed by the least violation s (smallest feasible shift) in
/// the mass metric:
///
///     min sum k_i s_i^2   over s such that rows  y + s = 0  and contact conditions between y + s and P have a solution
///
/// with the effective masses k of rows. It is computed by the proximal-point method from P = 0,
///
///     y + s = 0,   s = c (P_j - P_{j-1}) / k
///
/// where P_j converges and s vanishes in compatible rows, while P_j grows by a constant increment in incompatible ones
/// (Chiche and Gilbert 2016, for quadratic problems). With friction s is defined by the limit of these iterations. The
/// multipliers are unique only up to multiples of P_j - P_{j-1}: the smallest ones that the contact law admits are
/// used, plus k s, so that incompatible contacts are closed.

#include <picus/solvers/newton/semismooth_newton.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>

#include <cstdint>
#include <functional>

namespace picus::solvers {

/// c, relative to the effective masses: rows more compliant than this, relative to their effective mass, count as
/// compatible.
inline constexpr double shift_compliance = 1e-3;

/// Result of find_smallest_feasible_shift().
struct SmallestFeasibleShift {
  bool is_solved = false;
  /// Unknown of the row with the largest violation over its tolerance; -1: the rows are compatible.
  Index unknown = -1;
};

/// Which methods a solve tries.
enum class Effort : std::uint8_t {
  some,  ///< Newton's iteration, from nearby
  all,
};

/// The functions that find_smallest_feasible_shift() calls.
struct RelaxedSolves {
  /// Sets the problem to its initial guess, with zero contact multipliers, unrelaxed.
  std::function<void()> begin;
  /// Solves the problem from its current iterate; `change`: that of its unknowns, if solved.
  std::function<bool(Effort effort, Vector& change)> solve;
};

/// Solves the problem with the proximal term shift_compliance, or a larger one if no solution is found with that; its
/// rows remain shifted by s until the next initial guess. If nothing is driven the term falls from round to round: rows
/// are incompatible only if s does not depend on it. Among jammed contacts with friction s may fail to converge;
/// unless `must_settle`, the last s is then used: its equations are solved, but it is not the least violation. Not
/// solved if no s was found.
SmallestFeasibleShift find_smallest_feasible_shift(ContactProblem& problem, bool must_settle,
                                                   const RelaxedSolves& solves);

}  // namespace picus::solvers
