#pragma once

/// Functions common to all schemes: options, linear solvers, reports.

#include <picus/parameter_table.hpp>
#include <picus/solvers/integrators/scheme_options.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

#include <memory>
#include <string_view>

namespace picus {

/// Throws OptionError: `OPTION is VALUE, must be RANGE`.
void require_option(bool holds, std::string_view option, double value, std::string_view range);

/// Throws OptionError for an option out of range, among those common to all schemes or those of one.
template <class P>
void require_valid(const SchemeOptions& options, const P& own) {
  SchemeOptions::table().require_valid(options);
  P::table().require_valid(own);
}

/// The options common to all schemes and those of one, as recorded in results.
template <class P>
TextEntries option_texts(const SchemeOptions& options, const P& own) {
  TextEntries entries = SchemeOptions::table().write(options);
  for (auto& entry : P::table().write(own)) entries.push_back(std::move(entry));
  return entries;
}

/// Creates a solver that has analysed the pattern, whose last `contact_rows` unknowns are multipliers of contacts.
std::unique_ptr<LinearSolver> make_analyzed_solver(const System& system, const SparseMatrix& pattern,
                                                   bool is_symmetric, Index contact_rows,
                                                   const SchemeOptions& options,
                                                   PatternPool* patterns = nullptr);

/// Sets a multiplier for every contact with which it counts as closed.
void close_contacts(Subproblem& problem, Vector& r);

/// Makes the solver choose its pivots at the start, with all contacts closed, so that they do not depend on the course
/// of the run and a restored state continues bit for bit. (The pivot of an open contact, eliminated by its own
/// diagonal, nearly vanishes once the contact closes; pivots for closed contacts are suitable for open ones as well.)
void choose_pivots(Subproblem& problem, LinearSolver& solver, Vector& r);

/// Newton options for a problem that starts from the motion of the last step. The error of an initial guess that is
/// accepted within the tolerance would accumulate over the steps; therefore the guess must be far more accurate. Full
/// steps without line search allow the iteration to leave a wrong active set. Without contacts there is none, and a
/// full step that increases the residual of a vibrating beam may lead to another root of its equations, with a thousand
/// times the energy.
NewtonOptions predicted_newton(int max_iterations, bool has_contacts);

/// An empty report with the names of the sub-problems.
StepReport named_report(const SubproblemNames& names);

/// Adds the effort of one solve of a sub-problem.
void add_solve(SubproblemReport& total, const NewtonReport& solve);

/// The contact state to be stored in results: with redundant contacts of a body, some may be at the friction limit
/// without sliding. `rates` are the gap rates of the contact, `standstill` is the speed below which it counts as
/// sticking.
ContactState observed_state(ContactState law, std::span<const double> rates, double standstill);

int count_closed(const State& state);

/// Throws SolverError that names the scheme and the first contact with an impact law other than Newton's.
void require_newtons_law(const System& system, std::string_view scheme);

/// Throws SolverError that names the scheme (as typed, "chen:solver=lcp") and the first contact with friction.
void require_no_friction(const System& system, std::string_view scheme);

}  // namespace picus
