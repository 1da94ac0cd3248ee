#pragma once

/// What all schemes have in common: options, linear solvers, reports.

#include <picus/parameter_table.hpp>
#include <picus/solvers/integrators/scheme_options.hpp>
#include <picus/solvers/subproblems/subproblem.hpp>

#include <memory>
#include <string_view>

namespace picus {

/// Throws OptionError: `OPTION is VALUE, must be RANGE`.
void require_option(bool holds, std::string_view option, double value, std::string_view range);

/// Throws OptionError for an option out of its range, of all schemes or of one.
template <class P>
void require_valid(const SchemeOptions& options, const P& own) {
  SchemeOptions::table().require_valid(options);
  P::table().require_valid(own);
}

/// The options of all schemes and those of one, as results record them.
template <class P>
TextEntries option_texts(const SchemeOptions& options, const P& own) {
  TextEntries entries = SchemeOptions::table().write(options);
  for (auto& entry : P::table().write(own)) entries.push_back(std::move(entry));
  return entries;
}

/// A solver that has analysed the pattern, whose last `contact_rows` unknowns are multipliers of contacts.
std::unique_ptr<LinearSolver> make_analyzed_solver(const System& system, const SparseMatrix& pattern,
                                                   bool is_symmetric, Index contact_rows,
                                                   const SchemeOptions& options);

/// Gives every contact a multiplier with which it counts as closed.
void close_contacts(Subproblem& problem, Vector& r);

/// Makes the solver choose its pivots at the start, with all contacts closed, so that they do not depend on
/// what happens later and a restored state continues bit for bit. (The pivot of an open contact, eliminated by
/// its own diagonal, nearly vanishes once the contact closes; pivots for closed contacts suit open ones as well.)
void choose_pivots(Subproblem& problem, LinearSolver& solver, Vector& r);

/// Newton's iteration for a problem that starts from the motion of the last step. The error of an initial guess that is
/// accepted within the tolerance would accumulate over the steps, so that it has to be far better. Full steps without line
/// search are for leaving a wrong active set. Without contacts there is none, and a full step by which the residual of a
/// vibrating beam grows may end at another root of its equations, with a thousand times the energy.
NewtonOptions predicted_newton(int max_iterations, bool has_contacts);

/// A report of a step in which nothing has been solved yet.
StepReport named_report(const SubproblemNames& names);

/// Adds what one solve of a sub-problem took.
void add_solve(SubproblemReport& total, const NewtonReport& solve);

/// A contact as results show it: of several that hold a body together, some may stand at the limit of
/// friction without sliding. `rates` are its gap rates, `standstill` the speed below which nothing slides.
ContactState observed_state(ContactState law, std::span<const double> rates, double standstill);

int count_closed(const State& state);

/// Throws SolverError that names the scheme (as typed, "chen:solver=lcp") and the first contact with friction.
void require_no_friction(const System& system, std::string_view scheme);

}  // namespace picus
