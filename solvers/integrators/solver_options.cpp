#include <picus/error.hpp>
#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/linear/profiled_solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {

void require_option(bool holds, std::string_view option, double value, std::string_view range) {
  if (!holds) throw OptionError(fmt::format("{} is {}, must be {}", option, value, range));
}

std::unique_ptr<LinearSolver> make_analyzed_solver(const System& system, const SparseMatrix& pattern,
                                                   bool is_symmetric, Index contact_rows,
                                                   const SchemeOptions& options, PatternPool* patterns) {
  auto solver = make_linear_solver(options.linear_solver, pattern, is_symmetric, contact_rows,
                                   system.threads(), patterns);
  if (options.wrap_linear_solver) solver = options.wrap_linear_solver(std::move(solver));
  if (!solver) throw OptionError("wrap_linear_solver has returned no linear solver");
  solver = solvers::with_profile(std::move(solver), system.profile());
  solver->analyze(pattern, contact_rows);
  return solver;
}

void close_contacts(Subproblem& problem, Vector& r) {
  problem.evaluate(r);
  Vector P = problem.contact_multipliers();
  for (const ContactCone& cone : problem.cones()) {
    for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i)
      P[i] = cone.p * problem.contact_motion()[i];
    P[cone.first_row] += cone.p * std::numeric_limits<double>::epsilon();
  }
  problem.set_contact_multipliers(P);
}

void choose_pivots(Subproblem& problem, LinearSolver& solver, Vector& r) {
  close_contacts(problem, r);
  problem.evaluate(r);
  solver.factorize(problem.tangent());
}

NewtonOptions predicted_newton(int max_iterations, bool has_contacts) {
  NewtonOptions newton{.max_iterations = max_iterations, .guess_tolerance = 1e-4};
  if (!has_contacts) newton.full_steps = 0;
  return newton;
}

StepReport named_report(const SubproblemNames& names) {
  StepReport report;
  for (std::size_t i = 0; i < names.size(); ++i) report.subproblems[i].name = names[i];
  return report;
}

void add_solve(SubproblemReport& total, const NewtonReport& solve) {
  total.iterations += solve.iterations;
  total.line_searches += solve.line_searches;
  total.residual = solve.residual.worst;
}

ContactState observed_state(ContactState law, std::span<const double> rates, double standstill) {
  if (law != ContactState::slip || rates.size() == 1) return law;
  const double sliding = rates.size() == 2 ? std::abs(rates[1]) : std::hypot(rates[1], rates[2]);
  return sliding > standstill ? ContactState::slip : ContactState::stick;
}

void require_newtons_law(const System& system, std::string_view scheme) {
  for (const auto& block : system.contacts()) {
    if (block.role->law().impact.kind != ImpactLaw::Kind::newton)
      throw SolverError(
          fmt::format("scheme \"{}\" knows Newton's law of impact only, but contact \"{}\" has another one; "
                      "ds, dsn and ds-np know it",
                      scheme, block.element->name()));
  }
}

void require_no_friction(const System& system, std::string_view scheme) {
  for (const auto& block : system.contacts()) {
    const ContactLaw& law = block.role->law();
    if (law.has_friction())
      throw SolverError(fmt::format("scheme \"{}\" has no friction, but contact \"{}\" has mu = {}", scheme,
                                    block.element->name(), law.mu));
  }
}

int count_closed(const State& state) {
  return static_cast<int>(std::count_if(state.contact_state.begin(), state.contact_state.end(),
                                        [](ContactState contact) { return contact != ContactState::gap; }));
}

}  // namespace picus
