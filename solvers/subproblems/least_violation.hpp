#pragma once

/// Rows that conflict: contacts, constraints and prescribed motions that no motion can satisfy together, such as a body between
/// walls that close. They are left as far open as they must be, by the least violation s in the mass metric:
///
///     min sum k_i s_i^2   over s such that rows  y + s = 0  and contact conditions between y + s and P have a solution
///
/// with the effective masses k of rows. Found by proximal points from P = 0,
///
///     y + s = 0,   s = c (P_j - P_{j-1}) / k
///
/// where P_j settles in rows that agree, and s vanishes, and grows by the same amount again and again in those that do not (Chiche
/// and Gilbert 2016, for quadratic problems). With friction it is what these equations lead to. Of the multipliers, which are free
/// along P_j - P_{j-1}, the least that the law of contact admits are taken, and k s beside, so that contacts in conflict are closed.

#include <picus/solvers/newton/semismooth_newton.hpp>
#include <picus/solvers/subproblems/contact_problem.hpp>

#include <functional>

namespace picus::solvers {

/// c, part of the effective masses: what is softer than this, with respect to the mass of its row, counts as conflict.
inline constexpr double violation_compliance = 1e-3;

/// What came of it.
struct LeastViolation {
  bool is_solved = false;
  Index unknown = -1;  ///< of the row that is violated most, in units of its tolerance; -1: all rows agree
};

/// Solves the problem where it stands, at multipliers 0 of contacts and with the proximal term violation_compliance; its rows stay
/// shifted by s until it begins anew. `solve` finds the solution from where the problem stands. Among jammed contacts with friction s
/// may wander about; unless it must settle, the last one serves: its equations are solved, but it is not the least. Not solved where
/// there is no s.
LeastViolation solve_least_violation(ContactProblem& problem, bool must_settle,
                                     const std::function<bool()>& solve);

}  // namespace picus::solvers
